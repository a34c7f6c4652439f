import Glibc
import Processes

/// The process that parses a statement: this program, started again under another name. It gives up its rights before
/// it reads the first byte.
public enum StatementChild {
    /// The first argument that selects this mode; not meant for people.
    static let name = "spendwise-statement"
    /// Seconds from the start of the child to its answer. A statement of a year takes less than one.
    public static let seconds = 30
    /// Does the work of the child and ends the process, if it was started as one; otherwise returns at once. Must be
    /// called before the process has a second thread.
    public static func runIfStarted() {
        guard CommandLine.arguments == [name] else { return }
        do throws(Confinement.Refused) { try Confinement.statement.enter() } catch {
            _exit(Confinement.refusedStatus)
        }
        guard let bytes = StandardStreams.input(limit: StatementRequest.maximumBytes),
            let request = StatementRequest(bytes)
        else { _exit(1) }
        let answer: StatementAnswer
        do throws(StatementReadingError) {
            let parser = StatementParser(words: request.words)
            switch request.content {
            case .file(let file): answer = .statement(try parser.read(file, currency: request.currency))
            case .pdf(let words): answer = .statement(try parser.read(words, currency: request.currency))
            }
        } catch { answer = .refusal(error) }
        _exit(StandardStreams.write(answer.bytes) ? 0 : 1)
    }
}
