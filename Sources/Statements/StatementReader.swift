import Glibc
public import Ledger
import PDFWords
import Processes
import Settings
import YAMLSource

/// Reads the statement in a file. A child process without rights parses it, because files come from strangers and the
/// parsing libraries have had vulnerabilities. The words of a PDF are first read by a separate program,
/// `spendwise-pdf`.
public struct StatementReader: Sendable {
    /// A year of a busy account has less than a tenth of this.
    public static let maximumBytes = 16 << 20

    private let words: StatementWords
    private let files: StatementProfileFiles
    private let program: String
    private let pdfProgram: String

    private static let wordsFile = "_statement-words.yaml"
    private static let listsFile = "_payment-lists.yaml"

    /// - Parameters:
    ///   - folders: the profile folders. The last one with `_statement-words.yaml` counts, and the files
    ///     `_statement-<name>.yaml` of each bank.
    ///   - program: the program that is started as the child. Its `main` calls ``StatementChild/runIfStarted()``.
    ///   - pdfProgram: `spendwise-pdf`.
    public init(
        profiles folders: [String], program: String = StatementReader.ownProgram,
        pdfProgram: String = StatementReader.installedPDFProgram
    ) throws {
        words = try Self.sharedWords(folders)
        files = try StatementProfileFiles(folders)
        self.program = program
        self.pdfProgram = pdfProgram
    }

    static func sharedWords(_ folders: [String]) throws(SourceError) -> StatementWords {
        let path = path(of: wordsFile, in: folders)
        guard access(path, F_OK) == 0 else {
            throw SourceError(
                file: path, message: "is missing: without it no statement can be read",
                remedy: "Copy \(wordsFile) from \(InstalledFiles.profiles), or name that folder first in 'parsers:'.")
        }
        return try StatementWords(YAMLFile(path: path))
    }

    /// The last file with the name counts.
    private static func path(of name: String, in folders: [String]) -> String {
        let paths = folders.map { $0 + "/" + name }
        return paths.last { access($0, F_OK) == 0 } ?? paths.last ?? name
    }

    /// The lists of payments of `_payment-lists.yaml`, by name; none if no folder has the file.
    public static func paymentLists(profiles folders: [String]) throws -> [PaymentColumns] {
        let path = path(of: listsFile, in: folders)
        return access(path, F_OK) == 0 ? try PaymentColumns.mappings(in: YAMLFile(path: path)) : []
    }

    /// Path of the running program.
    public static let ownProgram = ChildProcess.ownProgram
    /// `spendwise-pdf` where it is installed with this program.
    public static let installedPDFProgram = InstalledFiles.pdfProgram

    /// Blocks until the file is read, at most twice ``StatementChild/seconds``.
    ///
    /// - Parameters:
    ///   - currency: the account's, for a file that names none.
    ///   - password: the password of an encrypted PDF. It is passed to `spendwise-pdf` on its standard input only.
    ///   - list: the headings of a list of payments; `nil` for a statement.
    public func read(
        _ bytes: [UInt8], currency: Currency, banks: [String] = [], password: String? = nil,
        list: PaymentColumns? = nil
    ) throws(StatementReadingError) -> BankStatement {
        let choices =
            list.map { [words.mapped(by: $0)] } ?? files.profiles(of: banks).map(words.mapped(by:)) + [words]
        var statement = try answer(bytes, currency, password, choices)
        statement.list = list?.name
        return statement
    }

    private func answer(
        _ bytes: [UInt8], _ currency: Currency, _ password: String?, _ words: [StatementWords]
    ) throws(StatementReadingError) -> BankStatement {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: .bytes, maximum: Self.maximumBytes) }
        let isPDF = PDFRequest.isFormat(bytes[...])
        var content = bytes
        if isPDF {
            content = try run(
                ChildProcess(
                    pdfProgram, arguments: [Self.pdfName], seconds: StatementChild.seconds,
                    outputBytes: PDFLimits.answerBytes),
                PDFRequest(password: password, file: bytes).bytes)
        }
        let output = try run(
            ChildProcess(
                program, arguments: [StatementChild.name], seconds: StatementChild.seconds,
                outputBytes: StatementAnswer.maximumBytes),
            StatementRequest.bytes(words, currency, isPDF: isPDF, content: content))
        // A taken-over child may answer anything: the proof is repeated here.
        guard let checked = StatementAnswer(output)?.checked else { throw .limitExceeded }
        return try checked.get()
    }

    private static let pdfName = "spendwise-pdf"

    /// The whole output of a program that ended well.
    private func run(_ child: ChildProcess, _ input: [UInt8]) throws(StatementReadingError) -> [UInt8] {
        let outcome: ChildProcess.Outcome
        do throws(ChildProcess.Failure) { outcome = try child.run(input: input) } catch {
            if case .timedOut = error { throw .limitExceeded }
            throw .notConfined
        }
        if outcome.end == .exit(Confinement.refusedStatus) { throw .notConfined }
        guard outcome.end == .exit(0), !outcome.isCut else { throw .limitExceeded }
        return outcome.output
    }
}
