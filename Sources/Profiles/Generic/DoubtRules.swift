import Ledger
import PCRE2
import YAMLSource

/// What in a mail speaks against a transaction that a template read from it: that it did not or not yet happen, that a one-time password is
/// asked for, or that the alert is repeated by somebody else. Templates tell most such mails from alerts by their own sentences; this holds
/// for every template, and sends the draft to a person. It looks for whole sentences, never for a word: "never share your OTP" and "if this
/// was not done by you" stand in genuine alerts.
struct DoubtRules: Sendable {
    private let password: [TextPattern]
    private let refusal: TextPattern
    private let negation: TextPattern
    private let future: TextPattern
    private let repeated: TextPattern
    private let answered: TextPattern

    init(words: Vocabulary) throws(SourceError) {
        let deed =
            "(?: debited | credited | deducted | deposited | withdrawn | spent | charged | transferred | paid | received | reversed | refunded | used | made | done | processed | cleared | loaded | sent | posted | levied | remitted | completed | executed | approved | recovered )"
        let word = #"(?: otp | one[\s-]time \s (?: password | passcode | pin ) )"#
        let verdict =
            #"(?: declined | rejected | unsuccessful | dishonou?red | bounced | returned \s unpaid | failed )"#
        // Not behind "if a", "in case of any", "when your" and the like: those say what happens then, not that it did.
        let openings = ["if", "case", "case of", "when", "whenever"].flatMap { opening in
            ["", " a", " an", " any", " the", " your", " this", " such"].map { opening + $0 }
        }
        let told = openings.map { #"(?<! \b\#($0.split(separator: " ").joined(separator: #" \s "#)) \s )"# }.joined(
            separator: " ")
        func compile(_ source: String) throws(PatternError) -> TextPattern {
            TextPattern(
                try Pattern(source), RequirementCode(PatternNeeds(of: source).literals, words: words), words: words)
        }
        do throws(PatternError) {
            password = [
                try compile(
                    #"(?ix) \b \d{4,8} \s (?: is | as ) \s (?: (?: the | your | an? ) \s )? (?: [\w-]{1,20} \s ){0,4}? \#(word) \b"#
                ),
                try compile(
                    #"(?ix) \b \#(word) \b (?: \s \( otp \) )? (?: \s (?: for | to ) \s [^.!?\n]{1,120}? )? \s? (?: is | : ) \s? :? \s? \d{4,8} \b"#
                ),
            ]
            refusal = try compile(
                #"""
                (?ix) \#(told)
                \b (?: transactions? | txn | trxn | payments? | purchase | withdrawal | transfer | cheque | mandate | charge | ref (?: erence )? | utr | rrn ) \b
                (?: [^.!?] | \. (?= \s? [\dX*] ) | (?<= \bno | \brs | \bref ) \. ){0,120}?
                \b (?: has | have | had | was | were | is | are | got ) \s (?: been \s )? \#(verdict) \b
                | \b transaction \s status \s? [:|]? \s? \#(verdict) \b
                """#)
            negation = try compile(
                #"""
                (?ix) (?<! \bif \s it \s ) (?<! \bif \s this \s ) \b (?: could \s not \s be | can \s? not \s be | (?: was | were ) \s not | (?: has | have ) \s not \s been ) \s
                (?: auto[\s-]? )? \#(deed) \b (?! \s by \s you )
                | (?<! \byou \s ) \b (?: have | has ) \s not \s (?: yet \s )? \#(deed) \b
                | \b did \s not \s go \s through \b | \b (?: is | was | has \s been | have \s been ) \s sent \s for \s (?: clearing | collection ) \b
                """#)
            future = try compile(
                #"(?ix) \b (?: (?: will | shall | would | to ) \s be \s (?: auto[\s-]? )? \#(deed) | (?: can | may ) \s be \s converted ) \b | \b convert \s (?: (?: your | the | this ) \s (?: [\w-]{1,20} \s ){1,4} (?: of | for ) \s )? (?: rs | inr | ₹ ) \b"#
            )
            repeated = try compile(
                #"(?imx) ^ (?: -{2,} \s? (?: forwarded \s message | original \s message ) | begin \s forwarded \s message | on \s [^\n]{5,80} \s wrote: )"#
            )
            answered = try compile(
                #"""
                (?ix) \b (?: with \s reference \s to | refer (?: ring )? \s to | in \s response \s to | regarding | in \s connection \s with ) \s (?: your | the ) \s (?: [\w-]{1,20} \s ){0,4}? (?: complaint | dispute | grievance ) \b
                | \b your \s (?: complaint | dispute | grievance ) \s (?: dated | no\b | number | registered | raised | lodged | regarding ) \b
                """#)
        } catch {
            throw SourceError(file: "doubts", message: "\(error) at byte \(error.offset)")
        }
    }

    /// The factors against a draft whose amount stands at `amount`.
    func reasons(
        about amount: Range<Int>, in searched: SearchedText, subject: String, with matcher: Matcher
    ) throws(MatchError) -> [Reason] {
        var found: [Reason] = []
        let text = searched.bytes
        /// Where the first match ends.
        func end(of pattern: TextPattern) throws(MatchError) -> Int? {
            guard try searched.match(pattern, with: matcher) else { return nil }
            return matcher.range(of: 0)?.upperBound
        }
        func isFound(_ pattern: TextPattern) throws(MatchError) -> Bool { try end(of: pattern) != nil }
        var isPassword = false
        for pattern in password where !isPassword { isPassword = try isFound(pattern) }
        func doubt(_ note: String) { found.append(Reason(.wordingDoubtful, weight: 0.3, note: note)) }
        if isPassword {
            doubt("the mail gives a one-time password: nothing is paid yet")
        } else if try isFound(refusal) {
            doubt("a sentence of the mail says that a payment was declined or failed")
        } else if try isFound(negation) {
            doubt("a sentence of the mail says that something did not happen")
        } else if try isFound(answered) {
            doubt("the mail answers a complaint: what it tells of was booked before, or is disputed")
        } else if let end = try end(of: future), end <= Self.sentenceEnd(after: amount, in: text) {
            // What follows the amount's sentence is another matter: "cashback will be credited within 90 days".
            doubt("the words by the amount say that it is still to come")
        }
        if let pretence = Self.pretence(before: amount, in: text) { doubt(pretence) }
        let quotes = try end(of: repeated) ?? .max
        if quotes <= amount.lowerBound || Self.isRepeated(amount, in: text, subject: subject) {
            found.append(
                Reason(
                    .forwarded, weight: 0.3,
                    note: "the alert is forwarded or quoted in this mail: whoever did so may have changed it"))
        }
        return found
    }

    /// Where the sentence of an amount ends: at a stop before a blank, or at the end of a line that is too short to have been wrapped.
    private static func sentenceEnd(after amount: Range<Int>, in text: [UInt8]) -> Int {
        var lineStart = text[..<amount.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        for at in amount.upperBound..<text.count {
            switch text[at] {
            case 0x0A:
                if at - lineStart < wrappedLineBytes || opensSentence(at + 1, in: text) { return at }
                lineStart = at + 1
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
                if at + 1 == text.count || text[at + 1] == 0x20 || text[at + 1] == 0x0A, !isAbbreviation(at, in: text) {
                    return at
                }
            default: break
            }
        }
        return text.count
    }

    /// Why the sentence of an amount, by its words before the amount, does not say that something happened: an "If" or "In case" at its
    /// beginning, after "Dear Customer," or without it, an example, or an open quotation.
    private static func pretence(before amount: Range<Int>, in text: [UInt8]) -> String? {
        var start = amount.lowerBound
        while start > 0 {
            let byte = text[start - 1]
            // A line that goes on in small letters is a wrapped one.
            if byte == 0x0A, !(0x61...0x7A).contains(text[start]) { break }
            if byte == 0x20, start > 1, ".!?".utf8.contains(text[start - 2]), !isAbbreviation(start - 2, in: text) {
                break
            }
            start -= 1
        }
        let sentence = text[start..<amount.lowerBound]
        if isQuoted(sentence, upTo: text[amount.upperBound...].prefix(200)) {
            return "the amount stands in a quotation"
        }
        var words = sentence.prefix(160).split(maxSplits: 16) { $0 == 0x20 || $0 == 0x0A }.prefix(16)
        // With a capital it may be somebody's name.
        if words.contains(where: { $0.elementsEqual("example".utf8) })
            || zip(words, words.dropFirst()).contains(where: { isWord($0, "such") && isWord($1, "as") })
        {
            return "the amount's sentence gives an example"
        }
        if let first = words.first, isWord(first, "dear"),
            let comma = words.firstIndex(where: { $0.last == UInt8(ascii: ",") })
        {
            words = words[(comma + 1)...]
        }
        guard let first = words.first else { return nil }
        let isCondition =
            isWord(first, "if") || isWord(first, "incase")
            || isWord(first, "in") && words.dropFirst().first.map { isWord($0, "case") } ?? false
        return isCondition ? "the amount's sentence begins with an if: it does not say that something happened" : nil
    }

    private static func isWord(_ printed: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in printed.count == word.count && printed.elementsEqual(word) { $0 | 0x20 == $1 } }
    }

    /// Whether a quotation that began before the amount ends behind it. An apostrophe (McDonald's) opens none: a mark that does follows a blank.
    private static func isQuoted(_ before: ArraySlice<UInt8>, upTo after: ArraySlice<UInt8>) -> Bool {
        for mark in [UInt8(ascii: "'"), UInt8(ascii: "\"")] {
            var isOpen = false
            for index in before.indices where before[index] == mark {
                let follows = index == before.startIndex || " \n(:".utf8.contains(before[index - 1])
                isOpen = follows
            }
            guard isOpen else { continue }
            let line = after.prefix { $0 != 0x0A }
            if line.indices.contains(where: {
                line[$0] == mark && (line.index(after: $0) == line.endIndex || " .,;)".utf8.contains(line[$0 + 1]))
            }) {
                return true
            }
        }
        return false
    }

    /// "Rs. 500" and "A/c no. XX12" end no sentence.
    private static func isAbbreviation(_ stop: Int, in text: [UInt8]) -> Bool {
        guard stop >= 2 else { return false }
        let word = text[(stop - 2)..<stop]
        return isWord(word, "rs") || isWord(word, "no")
    }

    /// A capital and a small letter.
    private static func opensSentence(_ at: Int, in text: [UInt8]) -> Bool {
        at + 1 < text.count && (0x41...0x5A).contains(text[at]) && (0x61...0x7A).contains(text[at + 1])
    }

    /// Plain text is wrapped at some seventy characters.
    private static let wrappedLineBytes = 50

    private static let repeats = ["fwd:", "fw:", "re:"]

    private static func opensRepeatedly(_ subject: String) -> Bool {
        // It has no blank in front.
        let opening = subject.utf8.prefix(4).map { $0 | 0x20 }
        return repeats.contains { opening.starts(with: $0.utf8) }
    }

    private static func isRepeated(_ amount: Range<Int>, in text: [UInt8], subject: String) -> Bool {
        if opensRepeatedly(subject) { return true }
        let lineStart = text[..<amount.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return text[lineStart] == UInt8(ascii: ">")
    }
}
