import Foundation
import Testing

extension EndToEnd {
    /// `parserctl` with a standard output that is full: status 1 and the reason, and nothing is lost.
    @Suite struct FullDiskOutput {
        private let scratch: Scratch
        private var ledger: String { scratch.path + "/ledger.db" }

        init() throws { scratch = try Scratch() }

        private func run(_ arguments: [String], full: Bool = false) throws -> Program {
            let database = ["--database", ledger]
            guard full else { return try Program("parserctl", arguments + database, in: scratch) }
            let command = #"exec "$0" "$@" > /dev/full"#
            return try Program(
                "/bin/sh", ["-c", command, Program.binaries + "/parserctl"] + arguments + database, in: scratch)
        }

        @Test(arguments: [
            ["export"], ["export", "--format", "json"], ["list"], ["list", "--json"], ["status"], ["status", "--json"],
            ["review", "list"], ["category", "list"], ["mapping", "list"], ["transfer"], ["token", "list"], ["audit"],
        ]) func failedOutputIsAnError(arguments: [String]) throws {
            try #require(try run(["token", "add", "phone"]).exit() == 0)
            // An empty list of categories prints nothing, which cannot fail.
            let prints = try run(arguments)
            try #require(try prints.exit() == 0)
            if prints.output.isEmpty { return }
            let failed = try run(arguments, full: true)
            #expect(try failed.exit() == 1)
            #expect(failed.errors.contains("No space left on device"), "\(failed.errors)")
        }

        @Test func tokenThatCannotBeShownIsRevoked() throws {
            let failed = try run(["token", "add", "phone"], full: true)
            #expect(try failed.exit() == 1)
            #expect(
                failed.errors.contains("No space left on device") && failed.errors.contains("the token was revoked"),
                "\(failed.errors)")
            let list = try run(["token", "list", "--json"])
            #expect(try list.exit() == 0 && list.output.contains(#""state":"revoked""#), "\(list.output)")
            let again = try run(["token", "add", "phone"])
            #expect(try again.exit() == 0 && again.output.count > 20, "the name is free again: \(again.errors)")
        }
    }
}
