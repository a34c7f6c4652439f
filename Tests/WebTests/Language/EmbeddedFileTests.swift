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

    /// The compiler does not know the names.
    @Test func everyNameIsOneOfAFile() throws {
        #expect(PageLibrary.templates.allSatisfy { !$0.value.isEmpty })
        var count = 0
        for (file, lines) in try CatalogueTests.swiftText() {
            for match in lines.joined(separator: "\n").matches(of: #/EmbeddedFile\.bytes\("([^"\\]+)"\)/#) {
                count += 1
                #expect(!EmbeddedFile.bytes(String(match.output.1)).isEmpty, "\(file): \(match.output.1)")
            }
        }
        #expect(count > 10)
    }

    @Test func anotherNameHasNoBytes() { #expect(EmbeddedFile.bytes("none.css").isEmpty) }
}
