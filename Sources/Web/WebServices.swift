public import Access
import Hummingbird
public import InternetMessage
import Ledger
public import Logging
internal import NIOPosix
public import Profiles
import Review
import Statements
public import Store
import Synchronization

/// The services that the routes use. The program makes one value at its start.
public struct WebServices: Sendable {
    /// The whole ledger. Routes read and write ``store``.
    private let whole: Store
    private let views = Views()
    /// Returns the profiles in force.
    let profiles: @Sendable () -> ProfileSet
    /// Names of the configured mailboxes: servers and Maildirs.
    let mailboxes: [String]
    let version: String
    let logger: Logger
    let access: AccessGuard
    let events: LedgerEvents
    /// Folders of profile files in ascending precedence. A template drafted on the page belongs into the last.
    public var profileFolders: [String] = []
    /// The folder of activated templates, which this program only reads.
    public var activatedTemplates: String?
    /// The program that is started to read a statement.
    public var statementProgram = StatementReader.ownProgram
    /// Applies the accounts of the database in this process; called after each change of an account.
    public var accountsChanged: @Sendable () -> Void = {}

    /// Decides and records an SMS; `nil` if this program cannot.
    public var recordSMS: (@Sendable (ShortMessage) throws -> RecordedMail)?
    /// Records the mails of banks in a file for the mail reader; `nil` if this program keeps no mails.
    public var recordMails: (@Sendable (_ file: [UInt8], _ name: String) throws -> UploadedMails)?
    /// The booked transactions that a bank's profiles would read differently with some files replaced, by their paths
    /// in a profile folder; `nil` if this program cannot decide mails.
    /// Not for a user who sees only a part of the ledger.
    public var previewReplay: (@Sendable (_ bank: String, _ files: [String: String]) throws -> ReplayPreview)? {
        get { Self.seen == nil ? replay : nil }
        set { replay = newValue }
    }
    private var replay: (@Sendable (_ bank: String, _ files: [String: String]) throws -> ReplayPreview)?
    /// Decides mails again; `nil` if this program cannot.
    public var mailActions: MailActions?

    public init(
        store: Store, profiles: @escaping @Sendable () -> ProfileSet, mailboxes: [String], version: String,
        logger: Logger, access: AccessPolicy
    ) {
        self.init(
            store: store, profiles: profiles, mailboxes: mailboxes, version: version, logger: logger,
            guard: AccessGuard(access, store: store, logger: logger))
    }

    init(
        store: Store, profiles: @escaping @Sendable () -> ProfileSet, mailboxes: [String], version: String,
        logger: Logger, guard access: AccessGuard
    ) {
        whole = store
        self.profiles = profiles
        self.mailboxes = mailboxes
        self.version = version
        self.logger = logger
        self.access = access
        events = LedgerEvents(store: store, access: access, logger: logger)
    }

    /// The ledger as the user of the present request sees it, if that is only a part.
    @TaskLocal private static var seen: Store?

    /// The ledger as the caller of the present request sees it.
    var store: Store { Self.seen ?? whole }

    /// Open handles of the ledger, by the user who sees it so. Households are small.
    private final class Views: Sendable {
        let byUser = Mutex<[Int64: Store]>([:])
    }

    /// Answers a request of a user who sees only a part of the ledger. The body, which is written later, sees the same.
    func answer(
        asSeenBy user: Int64, _ body: () async throws -> Response
    ) async throws -> Response {
        let (whole, views) = (whole, views)
        let view = try await NIOThreadPool.singleton.runIfActive {
            try views.byUser.withLock { views in
                if let view = views[user] { return view }
                let view = try whole.view(for: user, .web)
                views[user] = view
                return view
            }
        }
        var response = try await Self.$seen.withValue(view) { try await body() }
        let content = response.body
        response.body = ResponseBody(contentLength: content.contentLength) { writer in
            let writer = writer
            try await Self.$seen.withValue(view) { try await content.write(writer) }
        }
        return response
    }

    /// Reads from one snapshot of the ledger in a thread pool, off the event loops.
    func read<Result: Sendable>(_ body: @escaping @Sendable (Snapshot) throws -> Result) async throws -> Result {
        try await ledger { try $0.read(body) }
    }

    /// Changes the ledger in one transaction in a thread pool: all of `body`, or nothing if it throws.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await ledger { try $0.write(body) }
    }

    /// Reads the statement in a file, one file at a time: two children would not fit into the memory of the unit.
    func statement(
        in file: [UInt8], of account: UserAccountRow, password: String? = nil, list: PaymentColumns? = nil
    ) async throws -> BankStatement {
        try await Self.statementThread.runIfActive { [profileFolders, statementProgram] in
            try StatementReader(profiles: profileFolders, program: statementProgram).read(
                file, currency: account.currency, banks: account.numbers.map(\.profile), password: password, list: list)
        }
    }

    /// Reads a statement of a mail, on the same thread.
    func readMailed(
        _ id: Int64, passwords: [String], account: Int64?, by actor: Actor
    ) async throws -> StatementFile {
        try await Self.statementThread.runIfActive { [store, profileFolders, statementProgram] in
            let reader = try StatementReader(profiles: profileFolders, program: statementProgram)
            return try MailedStatements(store, reader, by: actor).read(id, passwords: passwords, account: account)
        }
    }

    /// The lists of payments that can be read.
    func columnMappings(in ledger: some ReadScope) throws -> [PaymentColumns] {
        PaymentColumns.choices(
            try StatementReader.paymentLists(profiles: profileFolders), try ledger.statements.mappings())
    }

    /// A separate thread, because a file may take half a minute, and other pages must not wait for it.
    private static let statementThread: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    /// Runs blocking work in a thread pool. Each call of a repository is a separate snapshot or transaction.
    func ledger<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
        let language = PageLanguage.current
        return try await NIOThreadPool.singleton.runIfActive { [store] in
            try PageLanguage.$current.withValue(language) { try body(store) }
        }
    }
}
