import Foundation
import Testing

@testable import Fleet

@Suite struct CopyFolderTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "spendwise-copies-\(UUID().uuidString)")
        .path

    @Test func oneWorkerUsesItAndRemovesWhatAnotherLeft() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lease = Lease(household: 7, worker: 1, fence: 3)
        var first: CopyFolder? = try CopyFolder(path)
        let file = try #require(first?.file(of: lease))
        try Data().write(to: URL(filePath: file))
        let error = #expect(throws: FleetError.self) { try CopyFolder(path) }
        #expect(error?.description.contains("another process uses this folder") == true)
        #expect(FileManager.default.fileExists(atPath: file))
        first = nil
        _ = try CopyFolder(path)
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
