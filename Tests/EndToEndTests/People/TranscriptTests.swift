import Foundation
import Testing

extension EndToEnd {
    /// Transcripts of `parserctl` in Tests/Transcripts.
    ///
    /// A line that begins with `$ ` is run by sh in a copy of Tests/Transcripts/files. Its output and errors follow,
    /// then `[n]` if its status is not 0. Everything else is comment. UPDATE_TRANSCRIPTS=1 rewrites the files; review
    /// the diff.
    @Suite struct Transcripts {
        private static let folder = Program.root + "/Tests/Transcripts"

        @Test(
            .timeLimit(.minutes(3)),
            arguments: ["accounts", "dues", "explain", "lint", "new", "payee", "recurring", "redact", "split", "test"]
        ) func matchesTranscript(name: String) throws {
            let scratch = try Scratch()
            let place = scratch.path + "/files"
            try FileManager.default.copyItem(atPath: Self.folder + "/files", toPath: place)
            try FileManager.default.copyItem(
                atPath: Program.root + "/parsers/_common.yaml", toPath: place + "/parsers/_common.yaml")
            let path = "\(Self.folder)/\(name).txt"
            let expected = try String(contentsOfFile: path, encoding: .utf8)
            var got = ""
            var isOutput = false
            for line in expected.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("$ ") {
                    got += line + "\n" + (try run(String(line.dropFirst(2)), in: place, scratch))
                    isOutput = true
                } else if line.isEmpty {
                    // An empty line ends the output of a command, so empty lines are removed from it.
                    if isOutput { got += "\n" }
                    isOutput = false
                } else if !isOutput {
                    got += line + "\n"
                }
            }
            while got.hasSuffix("\n\n") { got.removeLast() }
            if ProcessInfo.processInfo.environment["UPDATE_TRANSCRIPTS"] != nil {
                try got.write(toFile: path, atomically: true, encoding: .utf8)
            }
            let (gotLines, expectedLines) = (got.split(separator: "\n"), expected.split(separator: "\n"))
            let first = zip(gotLines, expectedLines).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            #expect(
                got == expected,
                "\(name).txt: \(first.map { "got: \(gotLines[$0])\nexpected: \(expectedLines[$0])" } ?? "\(gotLines.count) lines, not \(expectedLines.count)")"
            )
        }

        /// Returns output and errors, then the status, with times and local paths replaced.
        private func run(_ command: String, in place: String, _ scratch: Scratch) throws -> String {
            let program = try Program(
                "/bin/sh", ["-c", "cd '\(place)' && { \(command)\n} 2>&1"],
                environment: ["PATH": Program.binaries + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8"], in: scratch)
            let status = try program.exit()
            let times = try Regex(#"[\d.]+ s, \d+ mails a second"#)
            let output = program.output.split(separator: "\n").map { line in
                String(line).replacing(times, with: "some time").replacing(place, with: "PLACE")
            }
            return output.map { $0 + "\n" }.joined() + (status == 0 ? "" : "[\(status)]\n")
        }
    }
}
