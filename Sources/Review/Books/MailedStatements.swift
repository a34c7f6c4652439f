internal import Ledger
public import Statements
public import Store

/// Reads the statements that banks attached to authentic mails.
///
/// A statement that proves itself is stored and compared with the ledger. Nothing is booked from it without a person.
public struct MailedStatements {
    private let store: Store
    private let reader: StatementReader
    private let actor: Actor

    /// - Parameter reader: starts the confined child, in which a file is parsed.
    public init(_ store: Store, _ reader: StatementReader, by actor: Actor) {
        self.store = store
        self.reader = reader
        self.actor = actor
    }

    /// Reads a file. Blocks for at most the limit of the child for each password.
    ///
    /// - Parameters:
    ///   - passwords: tried in their order if the file needs one.
    ///   - missing: why other passwords cannot be tried; part of the reason if none opens the file.
    ///   - account: the account that a person chose.
    /// - Returns: the file with its new state: `read`, or the reason why not.
    /// - Throws: `notFound`; `conflict` if the file does not wait, or its bytes are not kept any longer.
    public func read(
        _ id: Int64, passwords: [String], missing: [String] = [], account: Int64? = nil
    ) throws -> StatementFile {
        let open = try store.statements.openFile(id, account: account)
        guard let owner = open.account else {
            return try note(.needsAccount, "it is not certain of which account it is", open.file, account)
        }
        switch reading(open, owner.currency, passwords) {
        case .success(let statement):
            guard let proof = try? StatementProof(statement), proof.strength != .none else {
                return try note(.refused, StatementProof.Strength.none.sentence, open.file, account)
            }
            return try keep(statement, open, owner, account)
        case .failure(let error):
            let state: StatementFile.State =
                switch error {
                case .needsPassword, .wrongPassword: .needsPassword
                // A fault of this machine, not of the file.
                case .notConfined: .waiting
                default: .refused
                }
            let reasons = ["\(error)"] + (state == .needsPassword ? missing : [])
            return try note(state, reasons.joined(separator: "; "), open.file, account)
        }
    }

    private func reading(
        _ open: OpenStatementFile, _ currency: Currency, _ passwords: [String]
    ) -> Result<BankStatement, StatementReadingError> {
        func attempt(_ password: String?) -> Result<BankStatement, StatementReadingError> {
            do throws(StatementReadingError) {
                return .success(
                    try reader.read(open.bytes, currency: currency, banks: [open.file.profile], password: password))
            } catch { return .failure(error) }
        }
        var result = attempt(nil)
        for password in passwords {
            guard case .failure(let error) = result, error == .needsPassword || error == .wrongPassword else { break }
            result = attempt(password)
        }
        return result
    }

    /// Stores the statement and resolves the file in one commit.
    private func keep(
        _ statement: BankStatement, _ open: OpenStatementFile, _ owner: OpenStatementFile.Account, _ account: Int64?
    ) throws -> StatementFile {
        let file = open.file
        do {
            try store.write { ledger in
                let result = try StatementService(ledger, by: actor).add(
                    statement, of: owner.id, bytes: open.bytes, file: file.name, books: false)
                try ledger.statements.resolve(file: file.id, as: result.row.id)
            }
        } catch let error as StoreError where error.kind == .invalid {
            return try note(.refused, error.message, file, account)
        }
        return try store.statements.file(file.id)
    }

    private func note(
        _ state: StatementFile.State, _ reason: String, _ file: StatementFile, _ account: Int64?
    ) throws(StoreError) -> StatementFile {
        let details =
            state == .needsAccount
            ? "A statement of \(file.profile) needs its account: choose it on the page of statements."
            : "A statement of \(file.profile) needs its password: give it on the page of statements, or name it in the configuration."
        try store.statements.note(state, reason: reason, ofFile: file.id, account: account, details: details)
        return try store.statements.file(file.id)
    }
}

extension StatementFile.State {
    /// The state for a person.
    public var sentence: String {
        switch self {
        case .waiting: "waits to be read"
        case .needsPassword: "needs its password"
        case .needsAccount: "needs its account"
        case .read: "read"
        case .refused: "cannot be read"
        case .expired: "was not read before its bytes were deleted"
        case .discarded: "discarded"
        }
    }
}
