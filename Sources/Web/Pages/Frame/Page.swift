/// A page: its template, its title and its section in the navigation.
struct Page: Sendable {
    var template: String
    var title: String
    var section: PageFrame.Section?

    init(_ template: String, _ title: String, _ section: PageFrame.Section?) {
        self.template = template
        self.title = title
        self.section = section
    }

    static let dashboard = Page("dashboard", "Overview", .dashboard)
    static let statistics = Page("statistics", "Statistics", .statistics)
    static let transactions = Page("transactions", "Transactions", .transactions)
    static let transaction = Page("transaction", "Transaction", .transactions)
    static let newTransaction = Page("transaction", "New transaction", .transactions)
    static let searches = Page("searches", "Saved searches", .transactions)
    static let searchWords = Page("search-words", "Words of a search", .transactions)
    static let bulk = Page("bulk", "Change several", .transactions)
    static let history = Page("history", "History", .transactions)
    static let transfers = Page("transfers", "Transfers", .transactions)
    static let questions = Page("questions", "Questions", .transactions)
    static let review = Page("review", "Review", .review)
    static let reviewItem = Page("review-item", "Review", .review)
    static let template = Page("template", "A template", .review)
    static let mails = Page("mails", "Mails", .mails)
    static let mail = Page("mail", "Mail", .mails)
    static let accounts = Page("accounts", "Accounts", .accounts)
    static let budgets = Page("budgets", "Budgets", .budgets)
    static let budget = Page("budgets", "Budget", .budgets)
    static let payees = Page("payees", "Payees", .payees)
    static let payee = Page("payee", "Payee", .payees)
    static let dues = Page("dues", "Dues", .dues)
    static let categories = Page("categories", "Categories", .categories)
    static let rule = Page("mapping", "Category rule", .categories)
    static let banks = Page("banks", "Banks", .banks)
    static let testBench = Page("test-bench", "Test bench", .banks)
    static let mailboxes = Page("mailboxes", "Mailboxes", .mailboxes)
    static let export = Page("export", "Export", .export)
    static let settings = Page("settings", "Settings", nil)
    static let phone = Page("phone", "Bank SMS", nil)
    static let help = Page("help", "Help", nil)

    /// The page of one account of the user, with its name as its title.
    static func account(_ name: String) -> Page { Page("account", name, .accounts) }

    /// The statements of one account.
    static let statements = Page("statements", "Statements", .accounts)
    static let statement = Page("statement", "Statement", .accounts)
    /// The statements of mails.
    static let mailedStatements = Page("mailed-statements", "Statements of mails", .accounts)
    /// The columns of lists of payments.
    static let columns = Page("columns", "Columns of lists", .accounts)

    /// The page of one bank, with the bank's name as its title.
    static func bank(_ name: String) -> Page { Page("bank", name, .banks) }
}

/// A view that knows a better title than its page, such as the merchant.
protocol TitledView: Sendable {
    var title: String { get }
}

/// A view with a form. If the form has problems, the response has the status 422.
protocol FormView: Sendable {
    var problems: [String] { get }
}
