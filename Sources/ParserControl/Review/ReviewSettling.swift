import ArgumentParser
import Glibc
import InternetMessage
import JSONText
import Ledger
import ReviewScreen
import Settings
import Store

/// Settles items one after the other: one that cannot be settled is told, and does not hold up the others.
struct ReviewSettling {
    /// What became of one.
    struct Done {
        /// `accepted`, `recorded` …
        var result: String
        /// False: it was so already.
        var changed = true
        var transaction: Int64?
        /// The sender that is trusted from now on because of it.
        var taught: TrustedSenderRow?
    }

    let json: Bool
    private var failed = 0

    init(json: Bool) { self.json = json }

    /// - Throws: `ExitCode(1)` at the end, where one was not settled.
    static func run(_ ids: [String], json: Bool, _ settle: (ReviewID) throws -> Done) throws {
        var settling = ReviewSettling(json: json)
        for (index, text) in ids.enumerated() {
            do {
                settling.tell(text, try settle(ReviewID(text)))
            } catch let error as StoreError where [.busy, .diskFull, .readOnly, .corrupt].contains(error.kind) {
                // The next would meet the same.
                settling.tell(text, error)
                for rest in ids[(index + 1)...] { settling.tell(rest, Refused(description: "not tried")) }
                break
            } catch { settling.tell(text, error) }
        }
        if settling.failed > 0 { throw ExitCode(1) }
    }

    private func tell(_ id: String, _ done: Done) {
        if json {
            return print(
                JSON.object([
                    ("id", .string(id)), ("result", .string(done.result)), ("changed", .bool(done.changed)),
                    ("transaction_id", JSON(done.transaction.map { "\($0)" })),
                    ("trusted_sender", JSON(done.taught?.sender.address)),
                ]).text)
        }
        let about = done.transaction.map { "\($0)" == id ? "" : ", transaction \($0)" } ?? ""
        print(
            "\(id): \(done.changed ? done.result : "was \(done.result) already")\(about)"
                + (done.taught.map { "; \($0.sentence)" } ?? ""))
    }

    private mutating func tell(_ id: String, _ error: any Error) {
        failed += 1
        if json {
            print(
                JSON.object([
                    ("id", .string(id)), ("result", .string("failed")), ("changed", .bool(false)),
                    ("error", Self.json(error)),
                ]).text)
        } else {
            StandardError.write(
                "parserctl: \(Terminal.printable(id)): \((error as? StoreError)?.message ?? "\(error)")\n")
        }
    }

    /// What it is as a word, and what it is in a sentence with its remedy.
    static func json(_ error: any Error) -> JSON {
        let store = error as? StoreError
        let kind =
            store.map { $0.kind.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" } }
            ?? (error is ValidationError ? "invalid" : "refused")
        return .object([
            ("kind", .string(kind)), ("message", .string(store?.message ?? "\(error)")),
            (
                "fields",
                .array(
                    store?.fields.map { .object([("field", .string($0.field)), ("detail", .string($0.detail))]) } ?? [])
            ),
        ])
    }
}

/// As ``orExit``; with `--json` an error is an object on standard output, of the same form whatever the command.
func orTell(_ id: String?, json: Bool, _ body: () throws -> Void) throws {
    guard json else { return try orExit(body) }
    do { try body() } catch let error as ExitCode { throw error } catch {
        print(
            JSON.object([
                ("id", JSON(id)), ("result", .string("failed")), ("changed", .bool(false)),
                ("error", ReviewSettling.json(error)),
            ]).text)
        throw ExitCode(1)
    }
}

/// Why a command did nothing, for a person.
struct Refused: Error, CustomStringConvertible {
    let description: String
}

extension ReviewItem {
    /// Nothing could be read from it, and nobody has settled it.
    var isBlank: Bool { transaction == nil && mail?.outcome == .review && mail?.reviewedAt == nil }
}

/// Asks on the terminal for the fields of a mail in which nothing could be read.
enum FieldQuestions {
    /// - Parameter edit: what was said already is not asked for.
    static func complete(_ edit: inout TransactionEdit, of item: ReviewItem, in store: Store) throws {
        let text = try item.mail.flatMap { try store.raw(ofMail: $0.id) }.map { Message(parsing: $0).text.bytes }
        let answers = FieldAnswers(text: text, arrival: item.mail?.receivedAt ?? item.mail?.sentAt)
        print(Terminal.styled(Terminal.printable(item.mail?.subject ?? "a mail"), .bold))
        if let text {
            for line in MarkedText(text, [:]).lines(inColour: false) { print("  | " + line) }
        } else {
            print("  the mail is not kept: it is still in the mailbox")
        }
        print(
            "Nothing could be read. Enter takes what stands in brackets, - leaves a field out, Ctrl-C changes nothing.")
        for field in FieldAnswers.asked where !edit.has(field) {
            while true {
                let suggestion = answers.suggestion(for: field)
                StandardError.write("\(field.rawValue)\(suggestion.map { " [\(Terminal.printable($0))]" } ?? ""): ")
                guard let line = readLine() else {
                    throw Refused(description: "the answers ended; nothing was changed")
                }
                let typed = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                if typed == "-" || (typed.isEmpty && suggestion == nil) {
                    if !FieldAnswers.isNeeded(field) { break }
                    print("  the \(field.rawValue) is needed")
                    continue
                }
                do {
                    edit.take(try answers.read(typed.isEmpty ? suggestion ?? "" : typed, as: field))
                    break
                } catch { print("  \(error)") }
            }
        }
    }
}

extension TransactionEdit {
    fileprivate mutating func take(_ answer: FieldEdit) {
        let one = TransactionEdit([answer])
        if let amount = one.amount { self.amount = amount }
        if let type = one.type { self.type = type }
        if let date = one.date { self.date = date }
        if !one.merchant.isKeep { merchant = one.merchant }
        if !one.accountDigits.isKeep { accountDigits = one.accountDigits }
    }

    /// What the command line can say of a mail in which nothing could be read, where it was not said.
    var missingOptions: [String] { missing.map { "--\($0.rawValue)" } }
}
