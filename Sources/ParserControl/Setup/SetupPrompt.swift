import ArgumentParser
import Console

/// A value that `parserctl setup` needs.
struct SetupQuestion {
    let text: String
    /// The option that answers it: `--host`.
    let option: String
    /// The answer if none is given.
    var usual: String?
}

/// The source of answers to ``SetupQuestion``s.
protocol SetupPrompt {
    /// True if a wrong answer can be given again.
    var canRepeat: Bool { get }

    func text(_ question: SetupQuestion) throws -> String
    /// A text that is not shown.
    func secret(_ question: SetupQuestion) throws -> String
    /// A consent to change something that exists.
    func agrees(_ question: String) throws -> Bool
    func show(_ text: String)
}

/// A person at the terminal.
struct TerminalPrompt: SetupPrompt {
    /// Uses defaults and consents without a question.
    let takesUsual: Bool

    var canRepeat: Bool { true }

    func text(_ question: SetupQuestion) throws -> String {
        if takesUsual, let usual = question.usual { return usual }
        while true {
            Output.text(question.text + (question.usual.map { " [\($0)]" } ?? "") + ": ")
            guard let line = readLine() else { throw Self.ended }
            let answer = line.trimmingBlanks
            if !answer.isEmpty { return answer }
            if let usual = question.usual { return usual }
        }
    }

    func secret(_ question: SetupQuestion) throws -> String { try HiddenInput.line(question.text + ": ") }

    func agrees(_ question: String) throws -> Bool {
        if takesUsual { return true }
        Output.text(question + " [y/N] ")
        guard let line = readLine() else { throw Self.ended }
        return line.lowercased().hasPrefix("y")
    }

    func show(_ text: String) { Output.line(text) }

    private static var ended: Refused { Refused("nothing was changed") }
}

/// A script: defaults are used, and a missing one is an error that names its option.
struct UnattendedPrompt: SetupPrompt {
    let saysYes: Bool
    let isQuiet: Bool

    var canRepeat: Bool { false }

    func text(_ question: SetupQuestion) throws -> String {
        guard let usual = question.usual else { throw Self.missing(question) }
        return usual
    }

    func secret(_ question: SetupQuestion) throws -> String { throw Self.missing(question) }

    func agrees(_ question: String) throws -> Bool {
        guard saysYes else { throw ValidationError("\(question) Add --yes without a terminal.") }
        return true
    }

    func show(_ text: String) { if !isQuiet { Output.line(text) } }

    private static func missing(_ question: SetupQuestion) -> ValidationError {
        ValidationError("\(question.option) is missing: without a terminal nothing can be asked")
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        let start = drop { $0.isWhitespace }
        return String(
            start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex))
    }
}
