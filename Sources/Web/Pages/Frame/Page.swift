/// A page: its template, its title and its section in the navigation.
struct Page: Sendable {
    var template: String
    var section: PageFrame.Section?
    private var heading: Heading

    private enum Heading {
        /// The key of a text.
        case text(String)
        /// A name of the ledger or of a profile, which is the same in each language.
        case name(String)
    }

    /// - Parameter title: the key of the title in ``TextCatalogue``.
    init(_ template: String, _ title: String, _ section: PageFrame.Section?) {
        self.template = template
        self.section = section
        heading = .text(title)
    }

    private init(_ template: String, named name: String, _ section: PageFrame.Section?) {
        self.template = template
        self.section = section
        heading = .name(name)
    }

    var title: String {
        switch heading {
        case .text(let key): PageText.of(key)
        case .name(let name): name
        }
    }

    static let dashboard = Page("dashboard", "page.dashboard", .dashboard)
    static let statistics = Page("statistics", "page.statistics", .statistics)
    static let transactions = Page("transactions", "page.transactions", .transactions)
    static let transaction = Page("transaction", "page.transaction", .transactions)
    static let newTransaction = Page("transaction", "page.new-transaction", .transactions)
    static let searches = Page("searches", "page.saved-searches", .transactions)
    static let searchWords = Page("search-words", "page.search-words", .transactions)
    static let bulk = Page("bulk", "page.bulk", .transactions)
    static let history = Page("history", "page.history", .transactions)
    static let transfers = Page("transfers", "page.transfers", .transactions)
    static let questions = Page("questions", "page.questions", .transactions)
    static let review = Page("review", "page.review", .review)
    static let reviewItem = Page("review-item", "page.review", .review)
    static let template = Page("template", "page.template", .review)
    static let mails = Page("mails", "page.mails", .mails)
    static let mail = Page("mail", "page.mail", .mails)
    static let accounts = Page("accounts", "page.accounts", .accounts)
    static let budgets = Page("budgets", "page.budgets", .budgets)
    static let budget = Page("budgets", "page.budget", .budgets)
    static let tags = Page("tags", "page.tags", .transactions)
    static let tag = Page("tag", "page.tag", .transactions)
    static let payees = Page("payees", "page.payees", .payees)
    static let payee = Page("payee", "page.payee", .payees)
    static let dues = Page("dues", "page.dues", .dues)
    static let duePayment = Page("due-payment", "page.due-payment", .dues)
    static let recurring = Page("recurring", "page.recurring", .dues)
    static let categories = Page("categories", "page.categories", .categories)
    static let rule = Page("mapping", "page.rule", .categories)
    static let banks = Page("banks", "page.banks", .banks)
    static let testBench = Page("test-bench", "page.test-bench", .banks)
    static let mailboxes = Page("mailboxes", "page.mailboxes", .mailboxes)
    static let newMailbox = Page("new-mailbox", "page.new-mailbox", .mailboxes)
    static let mailboxSetup = Page("mailbox-setup", "page.new-mailbox", .mailboxes)
    static let mailboxConsent = Page("mailbox-consent", "page.mailbox-consent", .mailboxes)
    static let mailboxRemoval = Page("mailbox-removal", "page.mailbox-removal", .mailboxes)
    static let export = Page("export", "page.export", .export)
    static let settings = Page("settings", "page.settings", nil)
    static let newNotification = Page("notification-form", "page.new-notification", nil)
    static let changeNotification = Page("notification-form", "page.change-notification", nil)
    static let notificationRemoval = Page("notification-removal", "page.notification-removal", nil)
    static let passkey = Page("passkey", "page.passkey", nil)
    static let passphrase = Page("passphrase", "page.passphrase", nil)
    static let newToken = Page("token", "page.token", nil)
    static let pair = Page("pair", "page.pair", nil)
    static let users = Page("users", "page.users", nil)
    static let templates = Page("templates", "page.templates", nil)
    static let phone = Page("phone", "page.sms", nil)
    static let help = Page("help", "page.help", nil)

    /// The page of one account of the user, with its name as its title.
    static func account(_ name: String) -> Page { Page("account", named: name, .accounts) }

    /// The statements of one account.
    static let statements = Page("statements", "page.statements", .accounts)
    static let statement = Page("statement", "page.statement", .accounts)
    /// The statements of mails.
    static let mailedStatements = Page("mailed-statements", "page.mailed-statements", .accounts)
    /// The columns of lists of payments.
    static let columns = Page("columns", "page.columns", .accounts)

    /// The page of one bank, with the bank's name as its title.
    static func bank(_ name: String) -> Page { Page("bank", named: name, .banks) }
}

/// A view that knows a better title than its page, such as the merchant.
protocol TitledView: Sendable {
    var title: String { get }
}

/// A view with a form. If the form has problems, the response has the status 422.
protocol FormView: Sendable {
    var problems: [String] { get }
}
