import Foundation
import Testing

/// A terminal with a shell, run by tmux.
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

    /// Presses keys, named as for `tmux send-keys`: `Enter`, `Escape`, `C-z`, or the characters.
    func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

    /// Pastes like a terminal: bracketed if the program has requested it.
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

    /// Waits until all words are on the screen together.
    func shows(_ words: String...) throws {
        var last = ""
        do {
            try waitUntil(words.joined(separator: ", ")) {
                last = try screen()
                return words.allSatisfy(last.contains)
            }
        } catch { throw Failed(description: "\(error) on the screen, which shows\n\(last)") }
    }

    /// Expects the terminal modes of a shell: line editing and echo.
    func expectRestored(_ location: SourceLocation = #_sourceLocation) throws {
        // Two parts, so that the command on the screen is not mistaken for its output.
        try run(
            "clear; stty -a | grep -q -e ' -icanon' -e ' -echo ' && echo terminal 'raw' || echo terminal 'restored'")
        try waitUntil("an answer of stty") { try screen().contains("terminal r") }
        #expect(try screen().contains("terminal restored"), sourceLocation: location)
    }
}
