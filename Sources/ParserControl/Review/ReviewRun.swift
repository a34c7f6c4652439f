import ArgumentParser
import Codecs
import Console
import Ledger
import Review
import Store

/// Runs one command on several items, one after the other: a failure is reported and does not stop the others.
struct ReviewRun {
    /// The result of one item.
    struct Done {
        /// `accepted`, `recorded` …
        var result: String
        /// False if it was so already.
        var changed = true
        var transaction: Int64?
        /// The sender that is trusted from now on because of it.
        var trustedSender: TrustedSenderRow?
    }

    let json: Bool
    private var failed = 0

    init(json: Bool) { self.json = json }

    /// - Throws: `ExitCode(1)` at the end if an item failed.
    static func run(_ ids: [String], json: Bool, _ perform: (ReviewID) throws -> Done) throws {
        var run = ReviewRun(json: json)
        for (index, text) in ids.enumerated() {
            do {
                run.report(text, try perform(ReviewID(text)))
            } catch let error as StoreError where [.busy, .diskFull, .readOnly, .corrupt].contains(error.kind) {
                // The next item would fail for the same reason.
                run.report(text, error)
                for rest in ids[(index + 1)...] { run.report(rest, Refused("not tried")) }
                break
            } catch { run.report(text, error) }
        }
        if run.failed > 0 { throw Exit.failed }
    }

    private func report(_ id: String, _ done: Done) {
        if json {
            return Output.line(
                JSON.object([
                    ("id", .string(id)), ("result", .string(done.result)), ("changed", .bool(done.changed)),
                    ("transaction_id", JSON(done.transaction.map { "\($0)" })),
                    ("trusted_sender", JSON(done.trustedSender?.sender.address)),
                ]).text)
        }
        let about = done.transaction.map { "\($0)" == id ? "" : ", transaction \($0)" } ?? ""
        Output.line(
            "\(id): \(done.changed ? done.result : "was \(done.result) already")\(about)"
                + (done.trustedSender.map { "; \($0.sentence)" } ?? ""))
    }

    private mutating func report(_ id: String, _ error: any Error) {
        failed += 1
        if json {
            Output.line(Self.failure(id, error).text)
        } else {
            Output.error("parserctl: \(Terminal.printable(id)): \((error as? StoreError)?.message ?? "\(error)")")
        }
    }

    /// The object of an error with `--json`, the same for every command.
    static func failure(_ id: String?, _ error: any Error) -> JSON {
        .object([
            ("id", JSON(id)), ("result", .string("failed")), ("changed", .bool(false)), ("error", json(error)),
        ])
    }

    /// The kind as one word, the message with its remedy, and the fields it is about.
    private static func json(_ error: any Error) -> JSON {
        let store = error as? StoreError
        let kind =
            switch error {
            case let error as StoreError:
                error.kind.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
            case is ReviewConflict: StoreError.Kind.conflict.rawValue
            case let error as Refused: error.kind.rawValue
            case is ValidationError: Refused.Kind.invalid.rawValue
            default: Refused.Kind.refused.rawValue
            }
        let fields = (store?.fields ?? []).map { problem in
            JSON.object([("field", .string(problem.field)), ("detail", .string(problem.detail))])
        }
        return .object([
            ("kind", .string(kind)), ("message", .string(store?.message ?? "\(error)")), ("fields", .array(fields)),
        ])
    }
}

/// Like ``orExit``; with `--json` an error is an object on standard output.
func orReport(_ id: String?, json: Bool, _ body: () throws -> Void) throws {
    guard json else { return try orExit(body) }
    do { try body() } catch let error as ExitCode { throw error } catch {
        Output.line(ReviewRun.failure(id, error).text)
        throw Exit.failed
    }
}
