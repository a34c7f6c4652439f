import Foundation
import Glibc
import Processes
import Testing

/// The rules for files and ports, tried by a program that enters them.
@Suite struct FileRulesTests {
    /// False for an older kernel, or in a container whose filter of system calls lacks Landlock.
    static let isPossible: Bool = (try? possible(in: "/nowhere").end) == .exit(0)

    private static func possible(in folder: String) throws -> ChildProcess.Outcome {
        try ChildProcess(
            ConfinementTests.probe, arguments: ["probe", "rules", folder], seconds: 60, outputBytes: 1000
        ).run()
    }

    @Test(.enabled(if: isPossible, "needs Landlock of Linux 5.13"))
    func aThreadAndAChildKeepTheRules() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/rules-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["read", "write"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["read/file", "other"] { try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
        for (link, file) in [("link", "read/file"), ("read/link", "other")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(link)", withDestinationPath: "\(folder)/\(file)")
        }
        try FileManager.default.copyItem(
            atPath: URL(filePath: "/bin/true").resolvingSymlinksInPath().path, toPath: folder + "/write/program")
        let outcome = try Self.possible(in: folder)
        #expect(outcome.end == .exit(0))
        let words = String(decoding: outcome.output, as: UTF8.self).split(separator: " ").map(String.init)
        let version = try #require(words.dropFirst().first.flatMap { Int($0) })
        // Older versions leave ports alone.
        let ports = version >= 4 ? "" : " listen connect"
        #expect(
            words.dropFirst(2).joined(separator: " ") == "read make rename truncate remove link-in child" + ports)
    }
}
