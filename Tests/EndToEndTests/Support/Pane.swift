import Foundation
import Testing

/// A terminal with a shell in it, by tmux: what a person types and sees.
final class Pane {
    private let scratch: Scratch
    private let socket: String

    init(in scratch: Scratch, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) throws {
        self.scratch = scratch
        socket = scratch.fresh("tmux")
        let settings = environment.map { "\($0.key)=\($0.value)" }
        try tmux(
            ["-u", "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env"] + [
                "LC_ALL=C.UTF-8", "PS1=ready> ",
            ] + settings
                + ["bash", "--norc", "--noprofile"])
        try shows("ready>")
    }

    deinit { _ = try? tmux(["kill-server"]) }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let program = try Program(
            "/usr/bin/tmux", ["-S", socket] + arguments, environment: ["TMUX": "", "LC_ALL": "C.UTF-8"], in: scratch)
        let status = try program.exit()
        guard status == 0 else {
            throw Failed(
                description:
                    "tmux \(arguments.joined(separator: " ")): \(program.errors); it is in scripts/install-dependencies"
            )
        }
        return program.output
    }

    /// As `tmux send-keys` names them: `Enter`, `Escape`, `C-z`, otherwise the characters themselves.
    func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

    /// As a terminal pastes: marked where the program asked for that.
    func paste(_ text: String) throws {
        try tmux(["set-buffer", text])
        try tmux(["paste-buffer", "-p"])
    }

    func run(_ command: String) throws {
        try type(command)
        try press("Enter")
    }

    func resize(columns: Int, rows: Int) throws { try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }

    func screen() throws -> String { try tmux(["capture-pane", "-p"]) }

    /// Waits until all the words are on the screen at once.
    func shows(_ words: String...) throws {
        var last = ""
        do {
            try waitUntil(words.joined(separator: ", ")) {
                last = try screen()
                return words.allSatisfy(last.contains)
            }
        } catch { throw Failed(description: "\(error) on the screen, which shows\n\(last)") }
    }

    /// The terminal's line discipline is as a shell needs it: lines are edited, and what is typed is shown.
    func expectRestored(_ location: SourceLocation = #_sourceLocation) throws {
        // In two words, so that the command itself, which is on the screen, too, is not taken for its answer.
        try run(
            "clear; stty -a | grep -q -e ' -icanon' -e ' -echo ' && echo terminal 'raw' || echo terminal 'restored'")
        try waitUntil("an answer of stty") { try screen().contains("terminal r") }
        #expect(try screen().contains("terminal restored"), sourceLocation: location)
    }
}
