import Review
import Store

/// What stands around every page.
struct PageFrame {
    enum Section: String, CaseIterable { case dashboard, transactions, review, categories, banks, mailboxes, export }

    struct Link {
        var title: String
        var path: String
        var icon: String
        var isCurrent: Bool
        /// What waits there; `nil` shows none.
        var badge: String?
        /// The key that goes there, after `g`.
        var key: String
    }

    var title: String
    var links: [Link]
    var notice: PageNotice?
    var offer: PageOffer?
    var fix: PageFix?
    /// What a form sends back as `csrf`.
    var formToken: String
    /// Whether there is a login to end.
    var isLoggedIn: Bool
    /// Whether the settings may be seen.
    var mayAdminister: Bool
    var version: String
    var style = ""
    var script = ""

    init(
        title: String, section: Section?, waiting: Int, notice: PageNotice?, offer: PageOffer?, fix: PageFix?,
        formToken: String, isLoggedIn: Bool, mayAdminister: Bool, version: String
    ) {
        self.title = title
        self.notice = notice
        self.offer = offer
        self.fix = fix
        self.formToken = formToken
        self.isLoggedIn = isLoggedIn
        self.mayAdminister = mayAdminister
        self.version = version
        links = Section.allCases.map { other in
            Link(
                title: other.title, path: other.path, icon: other.icon, isCurrent: other == section,
                badge: other == .review && waiting > 0 ? (waiting > 999 ? "999+" : "\(waiting)") : nil, key: other.key)
        }
    }
}

extension PageFrame.Section {
    var title: String {
        switch self {
        case .dashboard: "Overview"
        case .transactions: "Transactions"
        case .review: "Review"
        case .categories: "Categories"
        case .banks: "Banks"
        case .mailboxes: "Mailboxes"
        case .export: "Export"
        }
    }

    var path: String { self == .dashboard ? "/" : "/app/\(rawValue)" }

    var key: String {
        switch self {
        case .dashboard: "o"
        case .transactions: "t"
        case .review: "r"
        case .categories: "c"
        case .banks: "b"
        case .mailboxes: "m"
        case .export: "e"
        }
    }

    /// Of an SVG path on 24 by 24, drawn with a line.
    var icon: String {
        switch self {
        case .dashboard: "M4 19V10M10 19V5M16 19v-7M22 19H2"
        case .transactions: "M4 7h13l-3-3M20 17H7l3 3"
        case .review: "M4 5h16v10h-5l-3 4-3-4H4z"
        case .categories: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"
        case .banks: "M3 9l9-5 9 5zM5 9v8M10 9v8M14 9v8M19 9v8M3 20h18"
        case .mailboxes: "M3 6h18v12H3zM3 7l9 7 9-7"
        case .export: "M12 4v11M7 10l5 5 5-5M4 20h16"
        }
    }
}

/// "Always for this merchant", asked once after a person chose a category.
struct PageOffer {
    var sentence: String
    var id: String

    init(_ offer: CategoryOffer) {
        sentence = offer.sentence.prefix(1).uppercased() + offer.sentence.dropFirst()
        id = "\(offer.transactionID)"
    }
}

/// "Mend the template", asked where a person put right what a mail prints.
struct PageFix: Sendable {
    var sentence: String
    var path: String

    init(_ fix: ProfileFix, back: String) {
        sentence = fix.sentence.prefix(1).uppercased() + fix.sentence.dropFirst() + "."
        path = "/app/review/\(fix.reviewID)/template?" + FormFields.encoded([("back", back)])
    }
}

/// What the page says about what was just done. The words stand in this table and the address names only which: a link
/// from elsewhere can put no words here.
struct PageNotice {
    var text: String
    /// The group of edits that can be taken back.
    var undo: String?
    /// Where undoing leads.
    var back: String

    static let texts = [
        "saved": "Saved.", "added": "Added.", "deleted": "Deleted.", "accepted": "Accepted and booked.",
        "rejected": "Rejected: nothing is booked.", "undone": "Undone.",
        "bulk": "The category was changed.", "unchanged": "Nothing was changed.", "category": "The category was added.",
        "category-gone": "The category was deleted; its transactions were moved.",
        "mapping": "The rule was added.", "mapping-gone": "The rule was deleted; transactions keep their category.",
        "refused": "You will not be asked about this merchant again.",
        "revoked": "It has no access any more.",
        "applied": "The rule was added and the past transactions were changed.",
        "transfers": "Linked as transfers: they count neither as spent nor as received.",
        "transfer": "Linked as a transfer: it counts neither as spent nor as received.",
        "unlinked": "It is no transfer any more, and you will not be asked again.",
        "no-transfer": "You will not be asked about this pair again.",
    ]

    /// - Parameters:
    ///   - word: the key of one of ``texts``.
    ///   - undo: as in the address: only what looks like a group's name is taken.
    init?(word: String?, undo: String?, back: String) {
        guard let word, let text = Self.texts[word] else { return nil }
        self.text = text
        self.undo = undo.flatMap {
            $0.utf8.count == 36
                && $0.utf8.allSatisfy {
                    ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x66 || $0 == 0x2D || ($0 >= 0x30 && $0 <= 0x39)
                } ? $0 : nil
        }
        self.back = back
    }
}
