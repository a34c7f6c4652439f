internal import Chronology
internal import GRDB
internal import Ledger

/// Queries of one part of the ledger, over the handle, a snapshot or a transaction. Methods that write need a
/// ``WriteScope``.
protocol Repository<Scope> {
    associatedtype Scope: ReadScope
    var access: DatabaseAccess { get }
    init(access: DatabaseAccess)
}

extension Repository {
    var path: String { access.store.path }
    var notificationPolicy: NotificationPolicy? { access.store.notificationPolicy }

    func now() -> UnixTime { access.store.now() }

    var today: CalendarDate { access.store.today }

    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result { try access.read(body) }

    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result { try access.write(body) }

    func invalid(_ problems: [FieldProblem]) -> StoreError { StoreError(StoreError.invalid(problems), path: path) }
}

/// Templates that people made through the API or the page: `accounts`.
public struct AccountRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Tokens, logins, pairing and the address of the web role.
public struct AccessRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Answers to requests with an Idempotency-Key.
public struct AnswerRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// The retained bytes of mails.
public struct ArchiveRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// The audit log.
public struct AuditRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Limits of the expenses of categories.
public struct BudgetRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Categories and subcategories.
public struct CategoryRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Payments to come: bills, announced debits and recurring items.
public struct DueRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Phones that receive pushes.
public struct DeviceRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Named exports and the transactions that they contained.
public struct ExportRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Digests of files that were imported into the database.
public struct FileMarkRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Archives that were imported.
public struct ImportRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// The journal of edits, and undo.
public struct JournalRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Cursors, health, downloads and retries of the mailboxes.
public struct MailboxRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Mailboxes that are added on the page.
public struct MailboxSetupRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Files of Maildir folders that were read.
public struct MaildirRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Recorded mails.
public struct MailRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Keywords that choose a category.
public struct MappingRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Status, metrics and drift.
public struct MonitoringRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Notification events, messages and sinks.
public struct OutboxRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Writes fetched mails with their transactions and review items.
public struct RecordingRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Payees with their aliases.
public struct PayeeRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Items that come again by a rule.
public struct RecurringRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Requests to read older mail again.
public struct RescanRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// The review queue: drafts and mails that wait for a person.
public struct ReviewRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Saved searches.
public struct SearchRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Statements of accounts, with the transactions that their lines describe.
public struct StatementRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Sums over confirmed transactions.
public struct StatisticsRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Templates that the page asked the mail reader to use.
public struct TemplateActivationRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// The transactions of the ledger.
public struct TransactionRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Pairs of transactions that are one transfer between own accounts.
public struct TransferRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Links between the transactions of one event: refunds, second reports, final amounts, instalments.
public struct EventLinkRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Accounts of the user, their balances and the check of their continuity.
public struct UserAccountRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Exchange rates.
public struct ExchangeRateRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

/// Addresses that a person trusts as a bank's.
public struct TrustedSenderRepository<Scope: ReadScope>: Repository {
    let access: DatabaseAccess
}

extension ReadScope {
    public var accounts: AccountRepository<Self> { AccountRepository(access: access) }
    public var access: AccessRepository<Self> { AccessRepository(access: access) }
    public var answers: AnswerRepository<Self> { AnswerRepository(access: access) }
    public var archive: ArchiveRepository<Self> { ArchiveRepository(access: access) }
    public var audit: AuditRepository<Self> { AuditRepository(access: access) }
    public var budgets: BudgetRepository<Self> { BudgetRepository(access: access) }
    public var categories: CategoryRepository<Self> { CategoryRepository(access: access) }
    public var devices: DeviceRepository<Self> { DeviceRepository(access: access) }
    public var dues: DueRepository<Self> { DueRepository(access: access) }
    public var eventLinks: EventLinkRepository<Self> { EventLinkRepository(access: access) }
    public var exports: ExportRepository<Self> { ExportRepository(access: access) }
    public var fileMarks: FileMarkRepository<Self> { FileMarkRepository(access: access) }
    public var imports: ImportRepository<Self> { ImportRepository(access: access) }
    public var exchangeRates: ExchangeRateRepository<Self> { ExchangeRateRepository(access: access) }
    public var journal: JournalRepository<Self> { JournalRepository(access: access) }
    public var mailboxes: MailboxRepository<Self> { MailboxRepository(access: access) }
    public var mailboxSetups: MailboxSetupRepository<Self> { MailboxSetupRepository(access: access) }
    public var maildirs: MaildirRepository<Self> { MaildirRepository(access: access) }
    public var mails: MailRepository<Self> { MailRepository(access: access) }
    public var mappings: MappingRepository<Self> { MappingRepository(access: access) }
    public var monitoring: MonitoringRepository<Self> { MonitoringRepository(access: access) }
    public var outbox: OutboxRepository<Self> { OutboxRepository(access: access) }
    public var payees: PayeeRepository<Self> { PayeeRepository(access: access) }
    public var recording: RecordingRepository<Self> { RecordingRepository(access: access) }
    public var recurring: RecurringRepository<Self> { RecurringRepository(access: access) }
    public var rescans: RescanRepository<Self> { RescanRepository(access: access) }
    public var review: ReviewRepository<Self> { ReviewRepository(access: access) }
    public var searches: SearchRepository<Self> { SearchRepository(access: access) }
    public var statements: StatementRepository<Self> { StatementRepository(access: access) }
    public var statistics: StatisticsRepository<Self> { StatisticsRepository(access: access) }
    public var templateActivations: TemplateActivationRepository<Self> { TemplateActivationRepository(access: access) }
    public var transactions: TransactionRepository<Self> { TransactionRepository(access: access) }
    public var transfers: TransferRepository<Self> { TransferRepository(access: access) }
    public var userAccounts: UserAccountRepository<Self> { UserAccountRepository(access: access) }
    public var trustedSenders: TrustedSenderRepository<Self> { TrustedSenderRepository(access: access) }
}
