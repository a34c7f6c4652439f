import Foundation
import Testing

@testable import Web

/// The table in `CWebResources` has each file of `Resources`.
@Suite struct EmbeddedFileTests {
    @Test func everyFileIsInTheProgram() throws {
        let folder = CatalogueTests.sources.appending(path: "Resources")
        // Folders have no dot.
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
        #expect(files.count > 80)
        for file in files {
            let bytes = EmbeddedFile.bytes(URL(filePath: file).lastPathComponent)
            #expect(bytes == Array(try Data(contentsOf: folder.appending(path: file))), "\(file)")
        }
    }

    @Test func anotherNameHasNoBytes() { #expect(EmbeddedFile.bytes("none.css").isEmpty) }
}
