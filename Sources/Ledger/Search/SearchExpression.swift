internal import Chronology

/// A search for transactions as people type it: words in any order, amounts, days and marked words. All terms must
/// hold.
///
/// | written | selects |
/// |---|---|
/// | `coffee` | a row with the text in merchant, payee, notes, reference or UPI address, ignoring ASCII case |
/// | `"big bazaar"` | the text with its blanks; nothing in quotes has another meaning, and `""` is a quote |
/// | `499`, `30,140.20` | the amount, or the text |
/// | `>5000`, `<=200`, `500..700`, `=499` | amounts, both ends included |
/// | `21 Nov`, `Nov 2026`, `2026-11-21`, `2026-W47`, `fy2026`, `yesterday`, `last week` | the day or the days |
/// | `since:2026-10-01`, `until:2026-10-31` | days from, or up to and including, a day |
/// | `tag:goa`, `category:food`, `payee:swiggy`, `merchant:"M"`, `account:icici`, `bank:hdfc` | see ``Term`` |
/// | `is:income` | see ``State`` |
/// | `-coffee`, `-tag:goa` | rows for which the term does not hold |
///
/// Another word before a colon is a fault; in quotes it is text. A day without a year is the last one up to today.
public struct SearchExpression: Hashable, Sendable {
    public enum Term: Hashable, Sendable {
        case text(String)
        /// Digits that may be an amount in minor units, or text.
        case number(text: String, minorUnits: Int64)
        /// Minor units, both ends included.
        case amount(from: Int64, to: Int64)
        case days(SearchDays)
        /// The whole name of a tag, in any case of letters.
        case tag(String)
        /// A part of the name of a payee, with or without its blanks.
        case payee(String)
        /// The whole printed text of the merchant, in any case of letters.
        case merchant(String)
        /// A part of the name of a category or subcategory, with or without its blanks.
        case category(String)
        /// A part of the name of an account of the user, of its bank, or the last digits of its number.
        case account(String)
        /// The key of a bank, such as `hdfc`.
        case bank(String)
        case state(State)
    }

    public enum State: String, Hashable, Sendable, CaseIterable {
        case income, expense, transfer, refund, split, tagged, noted, uncategorized, booked, waiting, rejected

        /// True if it selects by status; a list then shows rows of every status.
        public var isStatus: Bool { [.booked, .waiting, .rejected].contains(self) }
    }

    public struct Part: Hashable, Sendable {
        public var term: Term
        public var isExcluded = false
    }

    public private(set) var parts: [Part] = []
    /// A faulty word has no effect on the search.
    public private(set) var faults: [SearchFault] = []
    private let field: String
    /// The faults in English, each with its remedy.
    public var problems: [FieldProblem] { faults.map { FieldProblem(field, $0.detail) } }

    /// Limit of terms: each costs a comparison for each row.
    static let maximumTerms = 20

    /// - Parameters:
    ///   - currency: of typed amounts. They are compared in minor units with amounts of every currency.
    ///   - field: the name for ``problems``.
    public init(_ text: String, currency: Currency = .inr, field: String = "q") {
        self.field = field
        var words = SearchWord.words(of: text)[...]
        while let word = words.first {
            guard parts.count < Self.maximumTerms else {
                faults.append(.tooManyWords(Self.maximumTerms))
                return
            }
            if let (days, count) = SearchDays.read(words) {
                parts.append(Part(term: .days(days)))
                words = words.dropFirst(count)
                continue
            }
            words = words.dropFirst()
            do throws(SearchFault) {
                parts.append(Part(term: try Self.term(word, currency), isExcluded: word.isExcluded))
            } catch {
                faults.append(error)
            }
        }
    }

    /// A search for exactly this printed merchant.
    public static func text(merchant: String) -> String { "merchant:\"\(merchant.replacing("\"", with: "\"\""))\"" }

    /// Words that a search understands before a colon, with their names from the ledger: `category:"Food & Dining"`.
    ///
    /// - Returns: the terms without duplicates, and those of every ``State``.
    public static func completions(
        categories: [String], accounts: [String], tags: [String], payees: [String], banks: [String]
    ) -> [String] {
        let named: [(SearchWord.Key, [String])] = [
            (.category, categories), (.account, accounts), (.tag, tags), (.payee, payees), (.bank, banks),
        ]
        var seen: Set<String> = []
        let terms = named.flatMap { key, names in names.filter { !$0.isEmpty }.map { term(key, $0) } }
        return (terms + State.allCases.map { "is:\($0.rawValue)" }).filter { seen.insert($0).inserted }
    }

    private static func term(_ key: SearchWord.Key, _ name: String) -> String {
        let isPlain = !name.contains(where: \.isWhitespace) && !name.contains("\"")
        return "\(key.rawValue):" + (isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\"")
    }

    /// A search for this tag.
    public static func text(tag: String) -> String { term(.tag, tag) }

    /// A search for this term of it alone.
    public func only(_ term: Term) -> SearchExpression {
        var search = self
        search.parts = [Part(term: term)]
        search.faults = []
        return search
    }

    /// True if a term selects by status.
    public var namesStatus: Bool {
        parts.contains { if case .state(let state) = $0.term { state.isStatus } else { false } }
    }

    private static func term(_ word: SearchWord, _ currency: Currency) throws(SearchFault) -> Term {
        if let unknown = word.unknownKey {
            throw .unknownKey("\(unknown):", known: SearchWord.Key.allCases.map { "\($0.rawValue):" })
        }
        guard let key = word.key else {
            return word.isQuoted ? .text(word.text) : try SearchAmount.term(word.text, currency) ?? .text(word.text)
        }
        guard !word.text.isEmpty else { throw .noName("\(key.rawValue):") }
        switch key {
        case .tag: return .tag(word.text)
        case .payee: return .payee(word.text)
        case .merchant: return .merchant(word.text)
        case .category: return .category(word.text)
        case .account: return .account(word.text)
        case .bank: return .bank(word.text.lowercased())
        case .is:
            if let state = State(rawValue: word.text.lowercased()) { return .state(state) }
            throw .unknownState(State.allCases.map(\.rawValue))
        case .since, .until:
            guard let day = CalendarDate(iso: word.text) else { throw .noDay("\(key.rawValue):") }
            return .days(key == .since ? .from(day) : .upTo(day))
        }
    }
}
