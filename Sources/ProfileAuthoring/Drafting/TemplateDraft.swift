public import Ledger
package import PCRE2
import Profiles

/// A person's choices for a derived template; `nil` values are derived from the words.
public struct DraftOptions: Sendable {
    public var type: TransactionType?
    public var channel: Channel?
    /// Set for a template that ignores such mails.
    public var ignore: IgnoreReason?
    /// Words of banks, lower case: other words in capitals are treated as names. If empty, none are.
    public var knownWords: Set<String>
    /// Matches a row with a status-like label; its first group is the cell.
    package var statusRow: Pattern?
    /// Sentences of other mails, in lower case: a mail to be ignored is not known by one of them.
    var familiar: Set<String> = []

    public init(
        type: TransactionType? = nil, channel: Channel? = nil, ignore: IgnoreReason? = nil,
        knownWords: Set<String> = []
    ) {
        self.type = type
        self.channel = channel
        self.ignore = ignore
        self.knownWords = knownWords
    }
}

/// A template derived from mails whose values a person gave. Only a proposal until it is proven beside all other
/// templates.
public struct TemplateDraft: Sendable {
    public enum Kind: Sendable {
        case transaction(TransactionType, Channel)
        case ignore(IgnoreReason)
    }

    public var kind: Kind
    /// One pattern for each form of the mails.
    public var patterns: [String]
    public var subjectPattern: String?
    public var unlessPattern: String?
    public var dateFormat: String?
    public var timeFormat: String?
    /// Notes about the choices made, for a person.
    public var notes: [String]

    /// The longest text from which a template is derived.
    public static let maximumTextBytes = 64 << 10

    /// The highest level of `derive`'s `specificity`.
    public static let greatestSpecificity = Specificity.allCases.count - 1

    /// Derives a template; a pure function of its arguments.
    ///
    /// - Parameter specificity: from 0, few words around the values, to `greatestSpecificity`; use more if other
    ///   templates claim the mails as well.
    public static func derive(
        from mails: [MarkedMail], options: DraftOptions = DraftOptions(), specificity: Int = 0
    ) throws(DerivationError) -> TemplateDraft {
        guard !mails.isEmpty else { throw DerivationError(.missingValue, "no mail is given") }
        if let index = mails.firstIndex(where: { $0.text.count > maximumTextBytes }) {
            throw DerivationError(
                .unlike, "mail \(index + 1) has more than \(maximumTextBytes >> 10) KiB of text",
                remedy: "An alert is short; this is a statement or a newsletter.")
        }
        let forms = try PrintedForms()
        let level = Specificity(rawValue: min(max(specificity, 0), greatestSpecificity)) ?? .few
        if let reason = options.ignore { return try ignoring(mails, reason, options, level, forms) }
        let placements = try placements(of: mails, forms)
        var windows: [DraftWindow] = []
        for (mail, placement) in zip(mails, placements) {
            windows.append(try DraftWindow(mail, placement.places, level, forms: forms, options: options))
        }
        let groups = DraftConsensus.groups(windows.map(\.elements))
        var patterns: [String] = []
        for group in groups {
            let members = group.map { Member(mail: mails[$0], placement: placements[$0], window: windows[$0]) }
            patterns.append(try pattern(of: members))
        }
        let wording = windows.map { window in String(decoding: Self.covered(by: window), as: UTF8.self).lowercased() }
            .joined(separator: "\n")
        let type = options.type ?? concludedType(wording)
        let channel = options.channel ?? concludedChannel(wording, mails)
        var notes = placements.flatMap(\.notes)
        if options.type == nil { notes.append("type: \(type.rawValue), concluded from the words") }
        if options.channel == nil { notes.append("channel: \(channel.rawValue), concluded from the words") }
        if groups.count > 1 { notes.append("the mails have \(groups.count) forms: one body_pattern for each") }
        let places = placements.flatMap(\.places.values)
        return TemplateDraft(
            kind: .transaction(type, channel), patterns: patterns,
            subjectPattern: level == .withSubject ? try subject(of: mails, forms, options) : nil,
            unlessPattern: "(?&otp_said) | (?&refused)",
            dateFormat: places.contains { $0.order == .monthFirst } ? "MM/dd/yyyy" : nil,
            timeFormat: places.contains(where: \.isTwelveHour) ? "hh:mm:ss" : nil, notes: notes)
    }

    private static func placements(
        of mails: [MarkedMail], _ forms: PrintedForms
    ) throws(DerivationError) -> [Placement] {
        var placements: [Placement] = []
        for (index, mail) in mails.enumerated() {
            guard mail.values[.amount] != nil else {
                throw DerivationError(
                    .missingValue, "mail \(index + 1) has no amount",
                    remedy:
                        "Give the amount of each mail, in the order of the mails; or --ignore REASON if it is not a transaction."
                )
            }
            placements.append(try Placement(of: mail, number: index + 1, forms: forms))
        }
        return placements
    }

    /// A mail of one form.
    private struct Member {
        var mail: MarkedMail
        var placement: Placement
        var window: DraftWindow
    }

    /// The pattern that reads all mails of one form.
    private static func pattern(of members: [Member]) throws(DerivationError) -> String {
        let nodes = DraftConsensus.pattern(members.map(\.window.elements))
        let count = Self.words(in: nodes)
        guard count >= 2 else {
            throw DerivationError(
                .tooFewWords, "the mails have only \(count) words in common around their values",
                remedy: "Give mails of one form, or check the values given.")
        }
        var printed: [Field: [[UInt8]]] = [:]
        for member in members {
            for (field, place) in member.placement.places {
                printed[field, default: []].append(Array(member.mail.text[place.span]))
            }
        }
        let pattern = DraftPattern(
            nodes, printed: printed, foreign: members.reduce(into: []) { $0.formUnion($1.window.foreign) },
            hasUnusualDate: members.contains { $0.placement.places[.date]?.isUsualDate == false },
            hasLeadingDigits: members.contains { $0.placement.places[.account]?.leadingDigits ?? 0 > 0 },
            isAddressTheName: members.contains { $0.placement.isAddressTheName })
        return DraftPattern.lines(anchored(pattern.pieces, nodes, members.map(\.window)), indentation: 0)
    }

    /// Anchors the pieces at the beginning of a sentence and at the end of a row, each if it is there in all mails. So
    /// "The reversal of a purchase" does not match as a purchase, nor "Approved, then declined" as "Approved".
    private static func anchored(_ pieces: [String], _ nodes: [DraftNode], _ windows: [DraftWindow]) -> [String] {
        func isKept(_ node: DraftNode?, _ token: (DraftWindow) -> DraftToken?) -> Bool {
            guard case .keep(let kept)? = node else { return false }
            return windows.allSatisfy { token($0) == kept }
        }
        var pieces = pieces
        if windows.allSatisfy(\.opensSentence), isKept(nodes.first, { $0.elements.first?.token }) {
            pieces.insert(#"(?<! \w \h )"#, at: 0)
        }
        if windows.allSatisfy(\.closesRow), isKept(nodes.last, { $0.elements.last?.token }) {
            pieces.append(#"(?! \h? \S )"#)
        }
        return pieces
    }

    private static func words(in nodes: [DraftNode]) -> Int {
        nodes.reduce(0) { count, node in
            switch node {
            case .keep(let token): count + (token.isWord ? 1 : 0)
            default: count
            }
        }
    }

    private static func covered(by window: DraftWindow) -> ArraySlice<UInt8> {
        guard let first = window.elements.first?.range.lowerBound, let last = window.elements.last?.range.upperBound,
            first < last
        else { return [] }
        return window.text[first..<last]
    }

    private static func concludedType(_ wording: String) -> TransactionType {
        let incoming = ["credited", "received", "deposited", "refund", "reversed", "reversal"]
        let outgoing = [
            "debited", "spent", "paid", "withdrawn", "charged", "deducted", "transferred", "purchase", "sent",
        ]
        func first(_ words: [String]) -> String.Index? {
            words.compactMap { wording.firstRange(of: $0)?.lowerBound }.min()
        }
        guard let income = first(incoming) else { return .expense }
        guard let expense = first(outgoing) else { return .income }
        return income < expense ? .income : .expense
    }

    private static let channelWords: [(Channel, [String])] = [
        (.upi, ["upi", "vpa"]), (.neft, ["neft"]), (.imps, ["imps"]), (.rtgs, ["rtgs"]),
        (.atm, ["atm", "cash withdrawal"]),
        (.mandate, ["mandate", "nach", "autopay", "standing instruction", "auto-debit"]), (.cheque, ["cheque"]),
        (.wallet, ["wallet"]), (.card, ["card"]),
    ]

    private static func concludedChannel(_ wording: String, _ mails: [MarkedMail]) -> Channel {
        if mails.contains(where: { $0.values[.vpa] != nil }) { return .upi }
        let words = Set(wording.split { !$0.isLetter }.map(String.init))
        for (channel, names) in channelWords
        where names.contains(where: { $0.contains { !$0.isLetter } ? wording.contains($0) : words.contains($0) }) {
            return channel
        }
        return .other
    }

    // MARK: Mails that are not a transaction

    /// Words of the sentence that identifies such a mail.
    static let ignoreWords: [IgnoreReason: [String]] = [
        .otp: ["otp", "one time password", "one-time", "passcode"],
        .declined: ["declined", "failed", "unsuccessful", "rejected", "could not"],
        .reminder: ["due", "reminder", "overdue"], .statement: ["statement"],
        .mandate: ["mandate", "autopay", "will be debited", "standing instruction"],
        .request: ["request", "collect"], .login: ["logged in", "login", "log in", "signed in", "device"],
        .advert: ["offer", "cashback", "loan", "apply", "reward"],
        .balance: ["balance"],
        .service: ["changed", "updated", "added", "activated", "blocked", "registered", "dispatched", "request"],
    ]

    private static func ignoring(
        _ mails: [MarkedMail], _ reason: IgnoreReason, _ options: DraftOptions, _ level: Specificity,
        _ forms: PrintedForms
    ) throws(DerivationError) -> TemplateDraft {
        var windows: [DraftWindow] = []
        var areRows = true
        for (index, mail) in mails.enumerated() {
            let places = try Placement(of: mail, number: index + 1, forms: forms).places
            let rows = StatusRows(in: mail.text, by: options.statusRow).all.map(\.range)
            let sentence = decisiveSentence(mail.text, reason, rows, options.familiar)
            areRows = areRows && rows.contains { $0.overlaps(sentence) }
            guard !sentence.isEmpty else {
                throw DerivationError(.tooFewWords, "mail \(index + 1) has no text to go by")
            }
            windows.append(
                try DraftWindow(
                    mail.text, places, sentence: sentence, extended: level.takesPreceding && !areRows, forms: forms,
                    options: options))
        }
        let groups = DraftConsensus.groups(windows.map(\.elements))
        guard groups.count == 1 else {
            throw DerivationError(
                .unlike, "the mails have \(groups.count) forms: their decisive sentences are not alike",
                remedy: "Derive a template from the mails of each form.")
        }
        let nodes = DraftConsensus.nodes(windows.map(\.elements))
        guard words(in: nodes) >= (areRows ? 2 : 3) else {
            throw DerivationError(
                .tooFewWords, "the mails have fewer than three words in common in their decisive sentence",
                remedy: "Derive a template from mails of one form.")
        }
        let pattern = DraftPattern(nodes, printed: [:], foreign: [], hasUnusualDate: false)
        let pieces = pattern.pieces + (areRows ? [#"(?! \h? \S )"#] : [])
        return TemplateDraft(
            kind: .ignore(reason), patterns: [DraftPattern.lines(pieces, indentation: 0)],
            subjectPattern: level == .withSubject ? try subject(of: mails, forms, options) : nil, unlessPattern: nil,
            notes: [])
    }

    /// The sentence with most of the reason's words; the first of several, and the longest if none has any.
    ///
    /// A row with a status-like label may be short. A common sentence is not specific.
    private static func decisiveSentence(
        _ text: [UInt8], _ reason: IgnoreReason, _ rows: [Range<Int>], _ familiar: Set<String>
    ) -> Range<Int> {
        let words = ignoreWords[reason] ?? []
        var best: (range: Range<Int>, score: Int)?
        for range in Sentences.all(in: text).prefix(40) {
            let sentence = String(decoding: text[range], as: UTF8.self).lowercased()
            let count = sentence.split(separator: " ").count
            guard count >= 3 || rows.contains(where: { $0.overlaps(range) }), !familiar.contains(sentence) else {
                continue
            }
            let score = words.filter { sentence.contains($0) }.count * 100 + min(count, 20)
            if score > best?.score ?? 0 { best = (range, score) }
        }
        return best?.range ?? 0..<0
    }

    /// The words that all subjects have.
    private static func subject(
        of mails: [MarkedMail], _ forms: PrintedForms, _ options: DraftOptions
    ) throws(DerivationError) -> String? {
        var windows: [[DraftElement]] = []
        for mail in mails {
            let text = Array(mail.subject.utf8)
            guard !text.isEmpty else { return nil }
            var places: [Field: PrintedForms.Place] = [:]
            for (field, value) in mail.values {
                places[field] = forms.places(of: value, as: field, in: text, arrival: mail.arrival).first
            }
            windows.append(
                try DraftWindow(
                    text, places, sentence: 0..<text.count, extended: false, forms: forms, options: options
                ).elements)
        }
        guard DraftConsensus.groups(windows).count == 1 else { return nil }
        let nodes = DraftConsensus.nodes(windows)
        guard words(in: nodes) >= 1 else { return nil }
        return DraftPattern.lines(
            DraftPattern(nodes, printed: [:], foreign: [], hasUnusualDate: false).pieces, indentation: 0)
    }
}
