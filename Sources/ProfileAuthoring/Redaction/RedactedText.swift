import Ledger
import PCRE2
import Profiles

/// Replaces personal text in a canonical text, byte for byte: the result has the same length, with every line break and
/// every word of the bank in place.
struct RedactedText {
    private(set) var bytes: [UInt8]
    private var isProtected: [Bool]
    private let forms: PrintedForms
    private let pseudonyms: Pseudonyms
    private let guide: Guide

    /// Words of a counterparty that are replaced.
    enum Names: Equatable {
        case all
        /// Words that are not a bank's.
        case unknown
        /// Words by their index in the counterparty.
        case chosen(Set<Int>)
    }

    /// Replacements and their rules.
    struct Rules {
        var names: Names
        /// Numbers in the ranges that the template matched stay.
        var keepsDigits: Bool
        var pseudonyms: Pseudonyms
        var guide: Guide
    }

    /// - Parameters:
    ///   - fields: the values that a template reads here.
    ///   - kept: the ranges that the template's patterns matched. Words in them stay, except for the fields.
    init(
        _ text: [UInt8], fields: [Field: Range<Int>], kept: [Range<Int>], _ rules: Rules, forms: PrintedForms
    ) {
        let names = rules.names
        bytes = text
        isProtected = [Bool](repeating: false, count: text.count)
        self.forms = forms
        pseudonyms = rules.pseudonyms
        guide = rules.guide
        // Read before any replacement.
        let links = forms.ranges(of: forms.url, in: text)
        let addresses = forms.ranges(of: forms.vpa, in: text)
        let dates = forms.dates(in: text)
        let times = forms.ranges(of: forms.time, in: text)
        let own = fields[.merchant].map { words(in: $0) } ?? []
        let merchant = Set(own.enumerated().filter { $1.count >= 4 && isReplaced($0, $1, names) }.map { lowered($1) })
        for (field, span) in fields.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { redact(field, span, names) }
        // Replaces repeated values everywhere, also among the bank's words.
        for field in [Field.merchant, .vpa, .reference] {
            guard let span = fields[field], span.count >= 4, field != .merchant || names == .all else { continue }
            for other in forms.literal(Array(text[span]), in: text) where isFree(other) { redact(field, other, names) }
        }
        for span in kept { protectWords(span, andDigits: rules.keepsDigits) }
        for span in links { link(span) }
        for span in addresses { address(span) }
        for span in dates { date(span) }
        for span in times { time(span) }
        references()
        numbers()
        people(merchant)
    }

    private func isReplaced(_ index: Int, _ word: Range<Int>, _ names: Names) -> Bool {
        switch names {
        case .all: true
        case .unknown: !guide.knownWords.contains(lowered(word))
        case .chosen(let numbers): numbers.contains(index)
        }
    }

    private mutating func replace(with new: [UInt8], at span: Range<Int>) {
        guard new.count == span.count else { return }
        for (offset, index) in span.enumerated() where !isProtected[index] { bytes[index] = new[offset] }
        protect(span)
    }

    private mutating func protect(_ span: Range<Int>) { for index in span { isProtected[index] = true } }
    private func isFree(_ span: Range<Int>) -> Bool { !span.contains { isProtected[$0] } }
    private func lowered(_ span: Range<Int>) -> String { String(decoding: bytes[span], as: UTF8.self).lowercased() }

    private mutating func protectWords(_ span: Range<Int>, andDigits: Bool) {
        for index in span where andDigits || !PrintedForms.isDigit(bytes[index]) { isProtected[index] = true }
    }

    private mutating func redact(_ field: Field, _ span: Range<Int>, _ names: Names) {
        switch field {
        case .amount, .balance, .limit, .foreign: number(span)
        case .account: digitRuns(span)
        case .date: date(span)
        case .time: time(span)
        case .vpa: address(span)
        case .merchant:
            for (index, word) in words(in: span).enumerated() where isReplaced(index, word, names) {
                replace(with: pseudonyms.word(Array(bytes[word])), at: word)
            }
            if names != .chosen([]) { digitRuns(span) }
            protect(span)
        case .reference:
            // Digits first, each run as elsewhere.
            if bytes[span].allSatisfy(PrintedForms.isDigit) {
                digitRuns(span)
            } else {
                replace(with: pseudonyms.word(Array(bytes[span])), at: span)
            }
        case .currency, .type, .channel, .mcc: protect(span)
        }
    }

    /// `1,23,456.78`: integer part and fraction are replaced separately; `.00` stays.
    private mutating func number(_ span: Range<Int>) {
        let point = bytes[span].lastIndex(of: UInt8(ascii: "."))
        let whole = (point.map { span.lowerBound..<$0 } ?? span).filter { PrintedForms.isDigit(bytes[$0]) }
        var new = Array(bytes[span])
        for (index, digit) in zip(whole, pseudonyms.digits(whole.map { bytes[$0] })) {
            new[index - span.lowerBound] = digit
        }
        if let point {
            let fraction = (point + 1)..<span.upperBound
            for (index, digit) in zip(fraction, pseudonyms.digits(Array(bytes[fraction])))
            where PrintedForms.isDigit(bytes[index]) { new[index - span.lowerBound] = digit }
        }
        replace(with: new, at: span)
    }

    private mutating func digitRuns(_ span: Range<Int>) {
        var at = span.lowerBound
        while at < span.upperBound {
            guard PrintedForms.isDigit(bytes[at]) else {
                at += 1
                continue
            }
            let end = bytes[at..<span.upperBound].firstIndex { !PrintedForms.isDigit($0) } ?? span.upperBound
            if isFree(at..<end) { replace(with: pseudonyms.digits(Array(bytes[at..<end])), at: at..<end) }
            at = end
        }
    }

    private mutating func date(_ span: Range<Int>) {
        guard isFree(span) else { return }
        if let moved = ShiftedDate.move(
            Array(bytes[span]), by: guide.shift, orders: guide.dateOrders, arrival: guide.arrival)
        {
            replace(with: moved, at: span)
        } else {
            protect(span)
        }
    }

    /// Earlier in the same hour, so that no time is after the mail's arrival.
    private mutating func time(_ span: Range<Int>) {
        guard isFree(span) else { return }
        var runs: [Range<Int>] = []
        for index in span where PrintedForms.isDigit(bytes[index]) {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        guard runs.count >= 2 else { return protect(span) }
        var stream = pseudonyms.stream(Array(bytes[runs[0].lowerBound..<runs[1].upperBound]), "time")
        var isEarlier = false
        for run in runs.dropFirst() where run.count == 2 {
            let value = UInt64(bytes[run.lowerBound] - 0x30) * 10 + UInt64(bytes[run.lowerBound + 1] - 0x30)
            let new = stream.next() % (isEarlier ? 60 : value + 1)
            isEarlier = isEarlier || new < value
            bytes[run.lowerBound] = 0x30 + UInt8(new / 10)
            bytes[run.lowerBound + 1] = 0x30 + UInt8(new % 10)
        }
        protect(span)
    }

    private func isBank(_ host: String) -> Bool { guide.domains.contains { host == $0 || host.hasSuffix("." + $0) } }

    /// Keeps the host if it is the bank's; the rest may identify the recipient.
    private mutating func link(_ span: Range<Int>) {
        var start = span.lowerBound
        if let slashes = forms.literal(Array("://".utf8), in: Array(bytes[span])).first { start += slashes.upperBound }
        let hostEnd =
            bytes[start..<span.upperBound].firstIndex {
                [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ":")].contains($0)
            } ?? span.upperBound
        protect(span.lowerBound..<start)
        let host = lowered(start..<hostEnd)
        if !isBank(host.hasPrefix("www.") ? String(host.dropFirst(4)) : host) {
            for word in tokens(in: start..<hostEnd) where lowered(word) != "www" {
                replace(with: pseudonyms.word(Array(bytes[word])), at: word)
            }
        }
        protect(start..<hostEnd)
        for word in tokens(in: hostEnd..<span.upperBound) {
            replace(with: pseudonyms.word(Array(bytes[word])), at: word)
        }
        protect(span)
    }

    /// Keeps an address of the bank; of a UPI address it replaces the part before the @, of any other also the host
    /// except its last label.
    private mutating func address(_ span: Range<Int>) {
        guard isFree(span), let at = bytes[span].firstIndex(of: UInt8(ascii: "@")) else { return }
        let host = lowered(at + 1..<span.upperBound)
        let local = span.lowerBound..<at
        if isBank(host), !words(in: local).contains(where: { guide.recipient.contains(lowered($0)) }) {
            return protect(span)
        }
        for word in tokens(in: local) { replace(with: pseudonyms.word(Array(bytes[word])), at: word) }
        if host.contains("."), !isBank(host), let dot = bytes[at..<span.upperBound].lastIndex(of: UInt8(ascii: ".")) {
            for word in tokens(in: at + 1..<dot) { replace(with: pseudonyms.word(Array(bytes[word])), at: word) }
        }
        protect(span)
    }

    /// Words of at least six letters and digits with both: numbers of transactions, customers, requests.
    private mutating func references() {
        for token in tokens(in: bytes.indices) where token.count >= 6 && isFree(token) {
            let digits = bytes[token].filter(PrintedForms.isDigit).count
            let isMask = bytes[token].allSatisfy { PrintedForms.isDigit($0) || $0 | 0x20 == UInt8(ascii: "x") }
            guard digits > 0, digits < token.count, !isMask else { continue }
            // INR5000: a word and a number.
            let letters = bytes[token].prefix { !PrintedForms.isDigit($0) }
            if letters.count + digits == token.count,
                guide.knownWords.contains(String(decoding: letters, as: UTF8.self).lowercased())
                    || letters.count <= 3 && Currency.named(String(decoding: letters, as: UTF8.self)) == .inr
            {
                continue
            }
            replace(with: pseudonyms.word(Array(bytes[token])), at: token)
        }
    }

    private mutating func numbers() {
        for span in forms.ranges(of: forms.number, in: bytes)
        where isFree(span) && (bytes[span].contains(UInt8(ascii: ",")) || bytes[span].contains(UInt8(ascii: "."))) {
            number(span)
        }
        digitRuns(bytes.indices)
    }

    /// Words that a name may follow.
    private static let introductions: Set<String> = [
        "name", "beneficiary", "payee", "remitter", "sender", "from", "to", "by", "towards", "at", "nominee", "holder",
        "merchant", "customer",
    ]

    private mutating func people(_ merchant: Set<String>) {
        // Number of words that may still belong to a name, and whether known words count as part of it.
        var wordsLeft = 0
        var isAddressed = false
        var wasTitle = false
        /// End of the last replaced word.
        var nameEnd = -1
        for word in words(in: bytes.indices) {
            let text = lowered(word)
            let isCapital = !bytes[word].contains { (0x61...0x7A).contains($0) }
            let isCapitalised = bytes[word.lowerBound] < 0x80 ? (0x41...0x5A).contains(bytes[word.lowerBound]) : true
            let isKnown = guide.knownWords.contains(text)
            // A name ends with its line, at a comma or a stop, but not at the colon of a label.
            if word.lowerBound > 0 {
                let before = bytes[word.lowerBound - 1]
                let last = word.lowerBound > 1 ? bytes[word.lowerBound - 2] : 0
                if before == 0x0A || last == UInt8(ascii: ",") || last == UInt8(ascii: ".") && isAddressed && !wasTitle
                {
                    (wordsLeft, isAddressed) = (0, false)
                }
            }
            let isName =
                guide.recipient.contains(text) || merchant.contains(text) || (isCapital && word.count >= 2 && !isKnown)
                || wordsLeft > 0 && isCapitalised && (!isKnown || isAddressed && !Salutation.anybody.contains(text))
                || isCapital && nameEnd >= 0 && word.lowerBound == nameEnd + 1 && bytes[nameEnd] == 0x20
                    && !BankWords.usual.contains(text)
            nameEnd = isName && isCapital ? word.upperBound : -1
            wasTitle = Salutation.titles.contains(text)
            if isName, !wasTitle, isFree(word) { replace(with: pseudonyms.word(Array(bytes[word])), at: word) }
            if Salutation.openings.contains(text) || Salutation.titles.contains(text) {
                (wordsLeft, isAddressed) = (4, true)
            } else if Self.introductions.contains(text) {
                (wordsLeft, isAddressed) = (5, false)
            } else if wordsLeft > 0 {
                // "Dear Customer" and "to Your" introduce no name.
                wordsLeft =
                    isName
                    ? wordsLeft - 1
                    : isAddressed && isCapitalised && !Salutation.anybody.contains(text) ? wordsLeft - 1 : 0
                if wordsLeft == 0 { isAddressed = false }
            }
        }
    }

    private func words(in span: Range<Int>) -> [Range<Int>] {
        PrintedForms.runs(in: bytes, span, of: PrintedForms.isLetter)
    }
    private func tokens(in span: Range<Int>) -> [Range<Int>] {
        PrintedForms.runs(in: bytes, span, of: PrintedForms.isWord)
    }
}
