import HTTPTypes
import Hummingbird
import Mustache

/// The parsed templates of `Resources/Templates`, by file name.
struct PageLibrary: Sendable {
    private let assets: Assets

    static let templates: [String: [UInt8]] = [
        "account": PackageResources.account_mustache,
        "alarm": PackageResources.alarm_mustache,
        "alarms": PackageResources.alarms_mustache,
        "accounts": PackageResources.accounts_mustache,
        "authority-field": PackageResources.authority_field_mustache,
        "bank": PackageResources.bank_mustache,
        "banks": PackageResources.banks_mustache,
        "budgets": PackageResources.budgets_mustache,
        "bulk": PackageResources.bulk_mustache,
        "history": PackageResources.history_mustache,
        "categories": PackageResources.categories_mustache,
        "columns": PackageResources.columns_mustache,
        "consent-form": PackageResources.consent_form_mustache,
        "consent-request": PackageResources.consent_request_mustache,
        "chart": PackageResources.chart_mustache,
        "dashboard": PackageResources.dashboard_mustache,
        "dues": PackageResources.dues_mustache,
        "due-payment": PackageResources.due_payment_mustache,
        "export": PackageResources.export_mustache,
        "faults": PackageResources.faults_mustache,
        "fields": PackageResources.fields_mustache,
        "help": PackageResources.help_mustache,
        "layout": PackageResources.layout_mustache,
        "mail": PackageResources.mail_mustache,
        "mails": PackageResources.mails_mustache,
        "mailed-statements": PackageResources.mailed_statements_mustache,
        "mailboxes": PackageResources.mailboxes_mustache,
        "mailbox-consent": PackageResources.mailbox_consent_mustache,
        "mailbox-fields": PackageResources.mailbox_fields_mustache,
        "mailbox-form": PackageResources.mailbox_form_mustache,
        "mailbox-removal": PackageResources.mailbox_removal_mustache,
        "mailbox-setup": PackageResources.mailbox_setup_mustache,
        "mapping": PackageResources.mapping_mustache,
        "mapping-form": PackageResources.mapping_form_mustache,
        "marked": PackageResources.marked_mustache,
        "new-mailbox": PackageResources.new_mailbox_mustache,
        "notification-form": PackageResources.notification_form_mustache,
        "notification-removal": PackageResources.notification_removal_mustache,
        "message": PackageResources.message_mustache,
        "pair": PackageResources.pair_mustache,
        "passkey": PackageResources.passkey_mustache,
        "passphrase": PackageResources.passphrase_mustache,
        "passphrase-field": PackageResources.passphrase_field_mustache,
        "payee": PackageResources.payee_mustache,
        "payees": PackageResources.payees_mustache,
        "period": PackageResources.period_mustache,
        "phone": PackageResources.phone_mustache,
        "problems": PackageResources.problems_mustache,
        "question": PackageResources.question_mustache,
        "recurring": PackageResources.recurring_mustache,
        "recurring-form": PackageResources.recurring_form_mustache,
        "review": PackageResources.review_mustache,
        "review-item": PackageResources.review_item_mustache,
        "search-words": PackageResources.search_words_mustache,
        "searches": PackageResources.searches_mustache,
        "settings": PackageResources.settings_mustache,
        "standing": PackageResources.standing_mustache,
        "statistics": PackageResources.statistics_mustache,
        "statement": PackageResources.statement_mustache,
        "statements": PackageResources.statements_mustache,
        "tag": PackageResources.tag_mustache,
        "tags": PackageResources.tags_mustache,
        "template": PackageResources.template_mustache,
        "templates": PackageResources.templates_mustache,
        "upload-ended": PackageResources.upload_ended_mustache,
        "use-template": PackageResources.use_template_mustache,
        "section-link": PackageResources.section_link_mustache,
        "split-card": PackageResources.split_card_mustache,
        "test-bench": PackageResources.test_bench_mustache,
        "token": PackageResources.token_mustache,
        "transaction": PackageResources.transaction_mustache,
        "transactions": PackageResources.transactions_mustache,
        "link-card": PackageResources.link_card_mustache,
        "questions": PackageResources.questions_mustache,
        "transfer-card": PackageResources.transfer_card_mustache,
        "transfer-questions": PackageResources.transfer_questions_mustache,
        "transfers": PackageResources.transfers_mustache,
        "users": PackageResources.users_mustache,
    ]

    // Each is parsed at its first use.
    private static let english = Result { try parsed(.english) }
    private static let hindi = Result { try parsed(.hindi) }

    private static func parsed(_ language: PageLanguage) throws -> MustacheLibrary {
        MarkupEscaping.register()
        var library = MustacheLibrary()
        for (name, file) in templates {
            try library.register(PermittedForms.mark(EmbeddedText.template(file, language)), named: name)
        }
        return library
    }

    static func library(_ language: PageLanguage) throws -> MustacheLibrary {
        try (language == .hindi ? hindi : english).get()
    }

    /// - Throws: if a template does not parse, which a test excludes.
    init(assets: Assets) throws {
        _ = try Self.library(.english)
        self.assets = assets
    }

    /// - Parameters:
    ///   - name: the template's name.
    ///   - view: the value that the template renders.
    func response(_ name: String, _ view: Any, in frame: PageFrame, status: HTTPResponse.Status = .ok) -> Response {
        var frame = frame
        (frame.style, frame.script) = (assets.stylePath, assets.scriptPath)
        (frame.manifest, frame.picture) = (assets.manifestPath, assets.picturePath)
        let library = (try? Self.library(.current)) ?? MustacheLibrary()
        let body = library.render(PageView(frame: frame, view: view), withTemplate: name) ?? ""
        let text = library.render(LayoutView(frame: frame, body: body), withTemplate: "layout") ?? ""
        return Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// `frame` is there for the token that every form sends.
fileprivate struct PageView {
    var frame: PageFrame
    var view: Any
}

/// `body` is rendered and escaped already.
fileprivate struct LayoutView {
    var frame: PageFrame
    var body: String
}
