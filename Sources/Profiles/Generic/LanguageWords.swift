import Ledger
import PCRE2
import YAMLSource

/// The words of one language for the regional reader: `_words-<language>.yaml`.
///
/// In a listed word, a blank matches any white space, `*` the rest of a word, and ` … ` up to four words.
struct LanguageWords: Sendable {
    /// Meaning of a list of words.
    enum Kind: String, CaseIterable {
        // Labels of amounts.
        case amount, balance, limit, fee, tax, reward, due, threshold
        // Kinds of events.
        case incoming, outgoing, movement, doubtful
        // Doubtful events of the past, also for mails that a template reads: a payment that was declined, one that was
        // reversed, and money that came back.
        case refused, undone, refunded
        // Other fields. `payee` precedes a name in a sentence, `payee_end` follows one, `payee_label` precedes one in a
        // row, `payee_verb` follows one at the beginning of a sentence; no name begins with `payee_not`.
        case payee
        case payeeEnd = "payee_end"
        case payeeLabel = "payee_label"
        case payeeVerb = "payee_verb"
        case payeeNot = "payee_not"
        // Words before the digits of an account, and behind them.
        case account
        case accountAfter = "account_after"
        case reference, card, cash
        // Words by which a text in this language is known.
        case common

        /// A sample of the file that does not name the kind must not match it.
        var isStrict: Bool {
            switch self {
            case .incoming, .outgoing, .doubtful, .refused, .undone, .refunded: true
            default: false
            }
        }

        /// The role that a label gives to an amount.
        var role: GenericReader.Role? {
            switch self {
            case .amount: .amount
            case .balance: .balance
            case .limit: .limit
            case .fee: .fee
            case .tax: .tax
            case .reward: .reward
            case .due: .due
            case .threshold: .other
            default: nil
            }
        }
    }

    /// ISO 639.
    let language: String
    /// The roles of amounts; the groups are named for them. What happened makes an amount one that moved.
    let labels: Pattern
    let incoming: Pattern?
    let outgoing: Pattern?
    let movement: Pattern?
    let doubtful: Pattern?
    let refused: Pattern?
    let undone: Pattern?
    let refunded: Pattern?
    /// A name after a word of the sentence, and after a label in a row.
    let payee: Pattern?
    let payeeLabel: Pattern?
    let payeeVerb: Pattern?
    let account: Pattern?
    let reference: Pattern?
    let card: Pattern?
    let cash: Pattern?
    /// Empty if the profiles are loaded without samples.
    let all: [WordingPattern]

    init(_ file: YAMLFile, samples: Bool) throws(SourceError) {
        let source = try LanguageFile(file)
        language = source.language
        let text = source.patterns
        func compile(_ text: String?) throws(SourceError) -> Pattern? {
            guard let text else { return nil }
            do throws(PatternError) { return try Pattern(text) } catch {
                throw source.words.node.error("the words do not compile: \(error)")
            }
        }
        guard let labels = try compile(text.labels) else {
            throw source.words.node.error("no word is a label of an amount")
        }
        self.labels = labels
        incoming = try compile(text.list(.incoming))
        outgoing = try compile(text.list(.outgoing))
        movement = try compile(text.list(.movement))
        doubtful = try compile(text.list(.doubtful))
        refused = try compile(text.list(.refused))
        undone = try compile(text.list(.undone))
        refunded = try compile(text.list(.refunded))
        payee = try compile(text.payee)
        payeeLabel = try compile(text.payeeLabel)
        payeeVerb = try compile(text.payeeVerb)
        account = try compile(text.account)
        reference = try compile(text.reference)
        card = try compile(text.list(.card))
        cash = try compile(text.list(.cash))
        guard samples else {
            all = []
            return
        }
        let special: [Kind: Pattern?] = [
            .payee: payee, .payeeLabel: payeeLabel, .payeeVerb: payeeVerb, .account: account, .reference: reference,
        ]
        var proven: [(Kind, Pattern)] = []
        for kind in Kind.allCases where ![.common, .payeeEnd, .payeeNot, .accountAfter].contains(kind) {
            let pattern: Pattern? = if let known = special[kind] { known } else { try compile(text.list(kind)) }
            if let pattern { proven.append((kind, pattern)) }
        }
        all = try Self.wordings(proven, of: source, path: file.path)
    }

    /// The patterns with the samples that prove them.
    private static func wordings(
        _ patterns: [(Kind, Pattern)], of source: LanguageFile, path: String
    ) throws(SourceError) -> [WordingPattern] {
        let samples = try source.samples()
        return patterns.map { kind, pattern in
            WordingPattern(
                name: source.name + "/" + kind.rawValue, pattern: pattern,
                samples: samples.flatMap { $0.sample(of: kind, group: pattern.groups.first?.name) },
                path: path, line: source.words[kind.rawValue]?.line ?? source.words.node.line,
                readsWholeText: true)
        }
    }

    /// A word that is known to be of the language, without its case.
    static func commonWords(_ file: YAMLFile) throws(SourceError) -> (language: String, words: [String]) {
        let source = try LanguageFile(file)
        return (source.language, source.patterns.words[.common] ?? [])
    }
}

/// The content of a language file.
fileprivate struct LanguageFile {
    /// A text with the words that each kind must find in it.
    struct ProvenText {
        var text: String
        /// `nil`: no kind may match.
        var expected: [String: String]?
        var line: Int

        func sample(of kind: LanguageWords.Kind, group: String?) -> [WordingPattern.Sample] {
            if let words = expected?[kind.rawValue] {
                let groups = group.map { [$0: words] } ?? [:]
                return [.init(text: text, expectation: .groups(groups), line: line)]
            }
            return kind.isStrict || expected == nil ? [.init(text: text, expectation: .none, line: line)] : []
        }
    }

    let language: String
    let name: String
    let words: YAMLMapping
    let patterns: WordPatterns
    private let map: YAMLMapping

    init(_ file: YAMLFile) throws(SourceError) {
        map = try file.root().mapping(allowing: ["language", "boundaries", "words", "samples"])
        language = try map.require("language").string()
        name = String((file.path.split(separator: "/").last ?? "").prefix { $0 != "." })
        words = try map.require("words").mapping(allowing: LanguageWords.Kind.allCases.map(\.rawValue))
        var lists: [LanguageWords.Kind: [String]] = [:]
        var excepted: [LanguageWords.Kind: [String]] = [:]
        for kind in LanguageWords.Kind.allCases {
            guard let node = words[kind.rawValue] else { continue }
            if node.isScalar || node.isList {
                lists[kind] = try node.strings()
            } else {
                let map = try node.mapping(allowing: ["words", "except"])
                lists[kind] = try map.require("words").strings()
                excepted[kind] = try map["except"]?.strings()
            }
        }
        patterns = WordPatterns(
            words: lists, excepted: excepted, hasBoundaries: try map["boundaries"]?.string() != "false")
    }

    func samples() throws(SourceError) -> [ProvenText] {
        var found: [ProvenText] = []
        for item in try map.require("samples").list() {
            let map = try item.mapping(allowing: ["text", "expect"])
            var expected: [String: String]?
            let node = try map.require("expect")
            let text = node.isScalar ? try node.string() : ""
            if text != "none" {
                let expect = try node.mapping(allowing: LanguageWords.Kind.allCases.map(\.rawValue))
                expected = [:]
                for (key, _) in expect.keys { expected?[key] = try expect.require(key).string() }
            }
            found.append(ProvenText(text: try map.require("text").string(), expected: expected, line: item.line))
        }
        return found
    }
}

/// Lists of words as patterns.
struct WordPatterns: Sendable {
    let words: [LanguageWords.Kind: [String]]
    let excepted: [LanguageWords.Kind: [String]]
    /// False for scripts that do not part words by blanks.
    let hasBoundaries: Bool

    /// A pattern whose group `word` has the word that was found.
    func list(_ kind: LanguageWords.Kind) -> String? {
        alternatives(kind).map { "(?i)" + exception(kind) + bounded("(?<word>\($0))") }
    }

    /// The labels of amounts by role, the longest first.
    var labels: String? {
        let parts = [LanguageWords.Kind.threshold, .due, .fee, .tax, .reward, .limit, .balance, .amount].compactMap {
            kind in alternatives(kind).map { "(?<\(kind.role?.rawValue ?? "other")>\($0))" }
        }
        let moved = [LanguageWords.Kind.incoming, .outgoing].compactMap(alternatives)
        let all = parts + (moved.isEmpty ? [] : ["(?:" + moved.joined(separator: "|") + ")"])
        return parts.isEmpty ? nil : "(?i)" + bounded("(?:" + all.joined(separator: "|") + ")")
    }

    /// The end of a name in a sentence.
    private var nameEnd: String {
        let words = alternatives(.payeeEnd).map { (hasBoundaries ? "\\s" : "\\s?") + bounded("(?:\($0))") + "|" } ?? ""
        return "(?=" + words
            + "\\s\\d{2,6}[*xX•]{2}|\\s\\d{1,4}[-/.]\\d{1,2}(?!\\d)|\\s\\d{1,2}:\\d|\\s\\d{1,2}\\s\\p{L}{3,9}\\.?\\s\\d{4}|\\s?[();|<>。、，；]|,\\s|\\s[-–|•]\\s|(?<![\\s.]\\p{L})(?<!\\s(?i:sp|co|st|mr|ms|dr|jr))(?<!\\s(?i:ltd|inc))(?<!(?-i:[a-z])\\s(?i:ma|md))\\.(?:\\s|\\z)|\\.?\\s{0,3}(?:\\n|\\z))"
    }

    /// No name begins with these, nor with an amount, nor with a mask.
    private var nameStart: String {
        let words = alternatives(.payeeNot).map { bounded("(?:\($0))") + "|" } ?? ""
        // "7-ELEVEN" begins with a digit; a day in its place is refused as one.
        return "(?!" + words + "(?!\\d{1,3}-(?-i:[A-Z]{3}))[\\d$€£₹*•#+.,:;-]|x{2})"
    }

    var payee: String? {
        alternatives(.payee).map {
            "(?i)" + exception(.payee) + bounded("(?:\($0))") + (hasBoundaries ? "\\s" : "\\s?") + "[\"'«“]?"
                + nameStart + "(?<merchant>\\S[^\\n;|<>]{0,58}?)[\"'»”]?" + nameEnd
        }
    }

    var payeeLabel: String? {
        alternatives(.payeeLabel).map {
            "(?im)^[\\s■◆◇●○◎・*•▪-]{0,4}(?:\($0))(?:\\s?[:：|]{1,2}\\s?\\n?|\\s(?=(?-i:[\\p{Lu}\\p{Lo}]))|\\n(?=(?-i:[\\p{Lu}\\p{Lo}])))"
                + nameStart + "(?<merchant>[^\\n|]{1,70}?)\\s{0,3}$"
        }
    }

    var payeeVerb: String? {
        alternatives(.payeeVerb).map {
            "(?i)(?:^|(?<!\\b\\p{L})[.!:,\\n]\\s?)" + nameStart
                + "(?<merchant>(?-i:\\p{Lu})(?:[^\\n.!?:,]|(?<=\\b\\p{L})\\.){1,50}?)\\s" + bounded("(?:\($0))")
        }
    }

    var account: String? {
        alternatives(.account).map {
            // "5570-****-****-1182": the digits behind the last mask.
            let before =
                bounded("(?:\($0))", end: false)
                + "[\\s:.#*•xX’'-]{0,8}(?:\\([-.…]{1,3})?(?:\\d{0,6}[\\s-]?[*•xX.]{1,14}[\\s-]?){0,4}(?<account>\\d{2,6})(?![-/:.,]?\\d|[\\s-]?[*•xX]{2})"
            let after =
                alternatives(.accountAfter).map { "|(?<![\\d/:.,-])(?<account>\\d{4})\\s?" + bounded("(?:\($0))") }
                ?? ""
            return "(?i)(?:" + before + after + ")"
        }
    }

    var reference: String? {
        alternatives(.reference).map {
            "(?i)" + bounded("(?:\($0))", end: false)
                + "[\\s:.#º°-]{0,4}(?<reference>(?=[A-Z-]{0,8}\\d)[A-Z0-9][A-Z0-9-]{4,34})(?![\\w/])"
        }
    }

    private func alternatives(_ kind: LanguageWords.Kind) -> String? {
        var words = words[kind] ?? []
        if kind == .doubtful { words += (self.words[.refused] ?? []) + (self.words[.undone] ?? []) }
        if words.isEmpty { return nil }
        return words.sorted { $0.utf8.count > $1.utf8.count }.map(Self.pattern).joined(separator: "|")
    }

    /// Longer words that contain a listed word and mean something else.
    private func exception(_ kind: LanguageWords.Kind) -> String {
        guard let words = excepted[kind], !words.isEmpty else { return "" }
        return bounded("(?:" + words.map(Self.pattern).joined(separator: "|") + ")") + "(*SKIP)(*FAIL)|"
    }

    private func bounded(_ pattern: String, end: Bool = true) -> String {
        guard hasBoundaries else { return pattern }
        return "(?<![\\p{L}\\p{M}])" + pattern + (end ? "(?![\\p{L}\\p{M}])" : "")
    }

    private static let gap = Array(" … ".utf8)
    private static let special = Array(#"\^$.[]|()?+{}#"#.utf8)

    /// In shorter words the mark distinguishes: `où`, `à`, `él`.
    private static let minimumFoldedBytes = 7

    /// A letter with a mark; in a long word also the letter without it, because many banks print none: `Platnosc
    /// karta`.
    private static func letter(_ bytes: ArraySlice<UInt8>, isFolded: Bool) -> [UInt8] {
        let letter = String(decoding: bytes, as: UTF8.self)
        guard isFolded, let base = plainLetters[letter.lowercased()] else { return Array(bytes) }
        return Array("[\(letter)\(base)]".utf8)
    }

    private static let plainLetters: [String: String] = {
        var letters: [String: String] = [:]
        for (plain, marked) in [
            "a": "áàâãäåą", "c": "çćč", "d": "ď", "e": "éèêëęě", "g": "ğ", "i": "íìîïı", "l": "ł", "n": "ñńň",
            "o": "óòôõöø", "r": "ř", "s": "śšş", "t": "ť", "u": "úùûüů", "y": "ý", "z": "źżž",
        ] {
            for letter in marked { letters[String(letter)] = plain }
        }
        return letters
    }()

    private static func pattern(_ words: String) -> String {
        let words = Array(words.utf8)
        var result: [UInt8] = []
        var at = 0
        while at < words.count {
            let byte = words[at]
            if byte == gap[0], words[at...].starts(with: gap) {
                result += #"\s(?:\S{1,40}\s){0,4}?"#.utf8
                at += gap.count
                continue
            }
            switch byte {
            case 0x20: result += #"\s"#.utf8
            case UInt8(ascii: "*"): result += #"[\p{L}\p{M}]*"#.utf8
            case _ where special.contains(byte): result += [UInt8(ascii: "\\"), byte]
            case 0xC3...0xC5 where at + 1 < words.count:
                result += Self.letter(words[at...at + 1], isFolded: words.count >= minimumFoldedBytes)
                at += 2
                continue
            default: result.append(byte)
            }
            at += 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}
