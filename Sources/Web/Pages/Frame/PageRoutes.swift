import Hummingbird
import Logging
import Store

/// The routes of the web page. It works without its script. All paths but `/` begin with `/app/`, so that none is also
/// one of the API.
enum PageRoutes {
    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let assets = Assets.shared
        assets.add(to: router)
        let library: PageLibrary
        do { library = try PageLibrary(assets: assets) } catch {
            services.logger.critical("cannot parse the templates of the page", metadata: ["reason": "\(error)"])
            return
        }
        let pages = Pages(services: services, library: library)
        DashboardPage.add(pages, to: router)
        StatisticsPage.add(pages, to: router)
        TransactionsPage.add(pages, to: router)
        SearchesPage.add(pages, to: router)
        TransactionEditing.add(pages, to: router)
        BulkPage.add(pages, to: router)
        HistoryPage.add(pages, to: router)
        TransfersPage.add(pages, to: router)
        LinkCard.add(pages, to: router)
        QuestionsPage.add(pages, to: router)
        ReviewPage.add(pages, to: router)
        TemplatePage.add(pages, to: router)
        MailsPage.add(pages, to: router)
        AccountsPage.add(pages, to: router)
        StatementsPage.add(pages, to: router)
        ColumnsPage.add(pages, to: router)
        BanksPage.add(pages, to: router)
        BenchPage.add(pages, to: router)
        CategoriesPage.add(pages, to: router)
        BudgetsPage.add(pages, to: router)
        PayeesPage.add(pages, to: router)
        TagsPage.add(pages, to: router)
        SplitCard.add(pages, to: router)
        DuesPage.add(pages, to: router)
        MailboxesPage.add(pages, to: router)
        UploadPage.add(pages, to: router)
        NewMailboxPage.add(pages, to: router)
        NotificationPage.add(pages, to: router)
        RenewalPage.add(pages, to: router)
        ExportPage.add(pages, to: router)
        SettingsPage.add(pages, to: router)
        PasskeysPage.add(pages, to: router)
        PassphrasePage.add(pages, to: router)
        TokensPage.add(pages, to: router)
        TemplatesPage.add(pages, to: router)
        PhonePage.add(pages, to: router)
        UsersPage.add(pages, to: router)
        PageChoices.add(pages, to: router)
        pages.get("/app/help", on: router) { call in
            try await pages.show(.help, call) { _ in HelpView() }
        }
        pages.post("/app/undo", on: router) { call in
            guard let group = call.form["group"] else { throw PageProblem.missing(PageText.of("missing.undo")) }
            _ = try await pages.services.write { [actor = call.context.actor] in
                try $0.journal.undo(group: group, by: actor)
            }
            return pages.seeOther(call.back(otherwise: "/"), done: "undone")
        }
    }
}

struct HelpView: Sendable {}
