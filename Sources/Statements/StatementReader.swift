import Glibc
public import Ledger
import Processes
import YAMLSource

/// Reads the statement in a file, in a child process without rights: a file is made by a stranger, and the libraries
/// that take it apart have had holes.
public struct StatementReader: Sendable {
    /// A year of a busy account has less than a tenth of this.
    public static let maximumBytes = 16 << 20

    private let words: StatementWords
    private let program: String

    private static let wordsFile = "_statement-words.yaml"

    /// - Parameters:
    ///   - folders: the profile folders. The last one with `_statement-words.yaml` counts.
    ///   - program: the program that is started as the child. Its `main` calls ``StatementChild/runIfStarted()``.
    public init(profiles folders: [String], program: String = StatementReader.ownProgram) throws {
        let paths = folders.map { $0 + "/" + Self.wordsFile }
        let path = paths.last { access($0, F_OK) == 0 } ?? paths.last ?? Self.wordsFile
        words = try StatementWords(YAMLFile(path: path))
        self.program = program
    }

    /// The running program.
    public static let ownProgram = ChildProcess.ownProgram

    /// Blocks until the child has read the file, at most ``StatementChild/seconds``.
    ///
    /// - Parameters:
    ///   - currency: the account's, for a file that names none.
    ///   - password: of an encrypted PDF; it reaches the child through its standard input only.
    public func read(
        _ bytes: [UInt8], currency: Currency, password: String? = nil
    ) throws(StatementReadingError) -> BankStatement {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: .bytes, maximum: Self.maximumBytes) }
        let request = StatementRequest(words: words, currency: currency, password: password, file: bytes)
        let child = ChildProcess(
            program, arguments: [StatementChild.name], seconds: StatementChild.seconds,
            outputBytes: StatementAnswer.maximumBytes)
        let outcome: ChildProcess.Outcome
        do throws(ChildProcess.Failure) { outcome = try child.run(input: request.bytes) } catch {
            if case .timedOut = error { throw .limitExceeded }
            throw .notConfined
        }
        if outcome.end == .exit(StatementChild.notConfined) { throw .notConfined }
        // A taken-over child may answer anything: the proof is repeated here.
        guard outcome.end == .exit(0), !outcome.isCut, let answer = StatementAnswer(outcome.output),
            let checked = answer.checked
        else { throw .limitExceeded }
        return try checked.get()
    }
}
