import Access
import Chronology
import Review
import Store

/// The parts that all pages share: navigation, notices and the login.
struct PageFrame {
    /// The values of the request that a frame shows or passes on.
    struct Login {
        /// The token that forms send back as `csrf`.
        var formToken: String
        /// True if there is a login that can be ended.
        var isLoggedIn: Bool
        var may: Permissions
    }

    /// What the caller may do, so that a page offers nothing else. The routes decide by ``AccessTable``.
    struct Permissions {
        var write: Bool
        var review: Bool
        var admin: Bool
        /// Changes of the own logins, passkeys and tokens.
        var person: Bool

        init(_ identity: Identity) {
            write = identity.scopes.allow(.write)
            review = identity.scopes.allow(.review)
            admin = identity.scopes.allow(.admin)
            person = identity.isPerson || admin
        }
    }

    /// The notices above a page.
    struct Notices {
        var done: PageNotice?
        var offer: PageOffer?
        var fix: PageFix?
    }

    enum Section: String, CaseIterable {
        case dashboard, statistics, transactions, review, mails, accounts, categories, payees, budgets, dues, banks,
            mailboxes, export
    }

    /// As many as fit beside the button for the others on a phone.
    private static let mainSections = 4

    struct Link {
        var title: String
        var path: String
        var icon: String
        var isCurrent: Bool
        /// The number of waiting items; `nil` shows none.
        var badge: String?
        /// The key that opens the section, after `g`.
        var key: String
    }

    /// Another language or theme that the page can have.
    struct Choice {
        var value: String
        var name: String
    }

    var title: String
    /// The first sections: on a phone in the bar at the bottom, the others behind a button there.
    var mainLinks: [Link]
    var otherLinks: [Link]
    var languages = PageLanguage.allCases.filter { $0 != .current }.map { Choice(value: $0.rawValue, name: $0.name) }
    var themes = PageTheme.allCases.filter { $0 != .current }.map { Choice(value: $0.rawValue, name: $0.name) }
    /// See ``PageTheme/attribute``.
    var theme = PageTheme.current.attribute
    /// The page to show again after a change of the language or the theme.
    var here: String
    var notice: PageNotice?
    var offer: PageOffer?
    var fix: PageFix?
    var formToken: String
    var isLoggedIn: Bool
    /// True for a page that shows changes of the ledger by itself.
    var isLive = false
    var may: Permissions
    var version: String
    var style = ""
    var script = ""
    var manifest = ""
    var picture = ""

    /// The place of a page among the others.
    struct Place {
        /// `nil` if it belongs to no section.
        var section: Section?
        /// The period and the comparison that the person has chosen, as the query of the links to other pages.
        var period = ""
        /// The path of the page with its query; `/` for the response to a form.
        var address = "/"
    }

    /// - Parameter waiting: the number of items that wait for review.
    init(title: String, place: Place, waiting: Int, notices: Notices, login: Login, version: String) {
        self.title = title
        here = place.address
        notice = notices.done
        offer = notices.offer
        fix = notices.fix
        formToken = login.formToken
        isLoggedIn = login.isLoggedIn
        may = login.may
        self.version = version
        let query = place.period.isEmpty ? "" : "?" + place.period
        let links = Section.allCases.map { other in
            Link(
                title: other.title, path: other.path + query, icon: other.icon,
                isCurrent: other == place.section,
                badge: other == .review && waiting > 0 ? (waiting > 999 ? "999+" : "\(waiting)") : nil, key: other.key)
        }
        mainLinks = Array(links.prefix(Self.mainSections))
        otherLinks = Array(links.dropFirst(Self.mainSections))
    }
}

extension PageFrame.Section {
    var title: String { PageText.of("page.\(rawValue)") }

    var path: String { self == .dashboard ? "/" : "/app/\(rawValue)" }

    var key: String {
        switch self {
        case .dashboard: "o"
        case .statistics: "s"
        case .transactions: "t"
        case .review: "r"
        case .mails: "i"
        case .accounts: "a"
        case .categories: "c"
        case .payees: "p"
        case .budgets: "u"
        case .dues: "d"
        case .banks: "b"
        case .mailboxes: "m"
        case .export: "e"
        }
    }

    /// The data of an SVG path, on 24 by 24 units, drawn as a line.
    var icon: String {
        switch self {
        case .dashboard: "M4 19V10M10 19V5M16 19v-7M22 19H2"
        case .statistics: "M3 17l6-6 4 4 8-8M21 7h-5M21 7v5"
        case .transactions: "M4 7h13l-3-3M20 17H7l3 3"
        case .review: "M4 5h16v10h-5l-3 4-3-4H4z"
        case .mails: "M3 13l3-8h12l3 8v6H3zM3 13h5l2 3h4l2-3h5"
        case .accounts: "M3 7h18v12H3zM3 11h18M7 15h4"
        case .payees: "M4 9l1-5h14l1 5M5 9v11h14V9M4 9h16M10 20v-6h4v6"
        case .budgets: "M12 12V3a9 9 0 1 1-9 9zM9 3.5A9 9 0 0 0 3.5 9H9z"
        case .dues: "M4 5h16v15H4zM4 9h16M8 3v4M16 3v4M9 14l2 2 4-4"
        case .categories: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"
        case .banks: "M3 9l9-5 9 5zM5 9v8M10 9v8M14 9v8M19 9v8M3 20h18"
        case .mailboxes: "M3 6h18v12H3zM3 7l9 7 9-7"
        case .export: "M12 4v11M7 10l5 5 5-5M4 20h16"
        }
    }
}

/// The offer to apply a chosen category or a corrected name to all transactions of the merchant.
struct PageOffer: Sendable {
    var sentence: String
    var id: String
    /// True for an offer of an alias.
    var isPayee = false
    /// The page that the offer is shown on, to return to.
    private(set) var back = "/"
    /// ``back`` as a value of a query.
    private(set) var backValue = "/"

    mutating func setBack(_ path: String) {
        back = path
        backValue = FormFields.encoded(path)
    }

    init(_ offer: CategoryOffer) {
        sentence = offer.sentence.prefix(1).uppercased() + offer.sentence.dropFirst()
        id = "\(offer.transactionID)"
    }

    init(_ offer: AliasOffer) {
        sentence = offer.sentence.prefix(1).uppercased() + offer.sentence.dropFirst()
        id = "\(offer.transactionID)"
        isPayee = true
    }
}

/// The offer to mend a template after a correction of a value that the mail prints.
struct PageFix: Sendable {
    var sentence: String
    var path: String

    init(_ fix: ProfileFix, back: String) {
        sentence = fix.sentence.prefix(1).uppercased() + fix.sentence.dropFirst() + "."
        path = "/app/review/\(fix.reviewID)/template?" + FormFields.encoded([("back", back)])
    }
}

/// The notice of the last edit. The address holds only the key of a text, so a link from another site cannot set the
/// text.
struct PageNotice {
    var text: String
    /// The group of edits for Undo.
    var undo: String?
    /// The page to show after Undo.
    var back: String

    /// Parameters of the address that select a notice, with `nil` to remove them.
    static let parameters: [(String, String?)] = [
        ("done", nil), ("undo", nil), ("offer", nil), ("about", nil), ("count", nil),
    ]

    /// Names the item that the edit was about.
    mutating func name(_ item: String) { text = item + ": " + text.prefix(1).lowercased() + text.dropFirst() }

    /// - Parameters:
    ///   - word: the name of a text in the group `notice`.
    ///   - count: the number of items that the edit was about.
    ///   - undo: the group in the address; ignored unless it has the form of a UUID.
    init?(word: String?, count: Int = 0, undo: String?, back: String) {
        guard let word, TextCatalogue.current.text("notice.\(word)") != nil else { return nil }
        text = PageText.of("notice.\(word)", count: count)
        self.undo = undo.flatMap {
            $0.utf8.count == 36
                && $0.utf8.allSatisfy {
                    ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x66 || $0 == 0x2D || ($0 >= 0x30 && $0 <= 0x39)
                } ? $0 : nil
        }
        self.back = back
    }
}
