import Foundation
import Glibc
import Testing

/// A folder that is removed with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/spendwise-ingest-XXXXXX".utf8CString)
        path = try #require(
            template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } })
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws {
        if let slash = name.lastIndex(of: "/") { mkdir(path + "/" + name[..<slash], 0o700) }
        let file = try #require(fopen(path + "/" + name, "we"))
        fputs(text, file)
        fclose(file)
    }
}
