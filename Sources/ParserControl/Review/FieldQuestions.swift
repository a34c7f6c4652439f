import Console
import Ledger
import Review
import Settings
import Store

/// Asks on the terminal for the fields of a mail that could not be read.
enum FieldQuestions {
    /// - Parameter edit: fields that it has already are not asked for.
    static func complete(_ edit: inout TransactionEdit, of id: ReviewID, by service: ReviewService<Store>) throws {
        guard let content = try service.content(id) else { throw Refused("there is no \(id)") }
        let text = content.text?.bytes
        let answers = FieldAnswers(
            text: text, arrival: content.mail?.receivedAt ?? content.mail?.sentAt, currency: content.currency)
        Output.line(Terminal.styled(Terminal.printable(content.mail?.subject ?? "a mail"), .bold))
        if let text {
            for line in MarkedText(text, [:]).lines(inColour: false) { Output.line("  | " + line) }
        } else {
            Output.line("  the mail is not retained: it is still in the mailbox")
        }
        Output.line(
            "Nothing could be read. Enter accepts the value in brackets, - leaves a field out, Ctrl-C changes nothing.")
        for field in FieldAnswers.asked where !edit.has(field) {
            if let answer = try ask(field, answers) { edit.set(answer) }
        }
    }

    /// - Returns: `nil` if the field is left out.
    private static func ask(_ field: Field, _ answers: FieldAnswers) throws -> FieldEdit? {
        let suggestion = answers.suggestion(for: field)
        while true {
            StandardError.write("\(field.rawValue)\(suggestion.map { " [\(Terminal.printable($0))]" } ?? ""): ")
            guard let line = readLine() else { throw Refused("the answers ended; nothing was changed") }
            let typed = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if typed == "-" || (typed.isEmpty && suggestion == nil) {
                if !FieldAnswers.isNeeded(field) { return nil }
                Output.line("  the \(field.rawValue) is needed")
                continue
            }
            do { return try answers.read(typed.isEmpty ? suggestion ?? "" : typed, as: field) } catch {
                Output.line("  \(error)")
            }
        }
    }
}

extension TransactionEdit {
    /// The command options that are still needed for a mail that could not be read.
    var missingOptions: [String] { missing.map { "--\($0.rawValue)" } }
}
