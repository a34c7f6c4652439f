import Chronology
import Ledger
import PCRE2
import YAMLSource
import Zstandard

/// Reads templates and samples from their files.
struct TemplateReader: Sendable {
    let compiler: PatternCompiler
    /// False leaves the samples unread.
    let samples: Bool

    /// Templates of a folder. Throws all faults of its files.
    func templates(of folder: ProfileFiles.BankFolder, _ bank: Bank) throws(SourceErrors) -> [Template] {
        var templates: [Template] = []
        var errors: [SourceError] = []
        let frames = SingleFrame.Reader()
        for (name, text) in folder.templates {
            do throws(SourceError) {
                templates.append(
                    try readTemplate(text.file(frames), named: bank.key + "/" + name.dropLast(".yaml".count), of: bank))
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { throw SourceErrors(errors) }
        return templates
    }

    private func readTemplate(_ file: YAMLFile, named expected: String, of bank: Bank) throws(SourceError) -> Template {
        let map = try file.root().mapping(allowing: [
            "template", "kind", "reason", "notice", "summary", "match", "extract", "samples", "sms",
        ])
        let nameNode = try map.require("template")
        let name = try nameNode.string()
        guard name == expected else {
            throw nameNode.error(
                "the template is named '\(name)' but is in \(expected).yaml", remedy: "Name it '\(expected)'.")
        }

        let kind = try readKind(map, bank)
        let match = try map["match"].map { node throws(SourceError) in try readMatch(node, bank) } ?? Template.Match()
        let isTransaction = if case .transaction = kind { true } else { false }
        let media = try map["sms"].map { node throws(SourceError) in try readMedia(node) } ?? [.mail]
        if !isTransaction, match.body == nil, match.subject == nil || media.contains(.sms) {
            throw (map["match"] ?? map.node).error(
                media.contains(.sms)
                    ? "a template for SMS that books nothing needs a body_pattern"
                    : "a template that books nothing needs a subject_pattern or a body_pattern",
                remedy: "Otherwise it would claim every \(media.contains(.sms) ? "SMS" : "mail") of the bank.")
        }
        var samples: [Sample] = []
        for node in try map["samples"]?.list() ?? [] { samples.append(try readSample(node, bank)) }
        return Template(name: name, kind: kind, match: match, media: media, samples: samples, path: file.path)
    }

    private func readMedia(_ node: YAMLNode) throws(SourceError) -> Set<AlertMedium> {
        switch try node.string() {
        case "also": [.mail, .sms]
        case "only": [.sms]
        case let other:
            throw node.error(
                "unknown value '\(other)'",
                remedy: "Use also for a template of mails and SMS, or only for one of SMS alone.")
        }
    }

    private func readKind(_ map: YAMLMapping, _ bank: Bank) throws(SourceError) -> Template.Kind {
        let node = try map.require("kind")
        let name = try node.string()
        if name != "ignore", let reason = map["reason"] { throw reason.error("'reason' is for kind: ignore only") }
        if name != "notice", let notice = map["notice"] { throw notice.error("'notice' is for kind: notice only") }
        switch name {
        case "transaction": return .transaction(try readExtraction(try map.require("extract"), bank))
        case "ignore":
            if let extract = map["extract"] {
                throw extract.error("kind: ignore extracts nothing", remedy: "Move its pattern to match.body_pattern.")
            }
            return .ignore(try map.require("reason").choice(of: IgnoreReason.self))
        case "notice":
            return .notice(
                try readNotice(
                    try map.require("notice").choice(of: BankNotice.Kind.self), try map.require("extract")))
        case let other: throw node.error("unknown kind '\(other)'", remedy: "Use transaction, notice or ignore.")
        }
    }

    private func readMatch(_ node: YAMLNode, _ bank: Bank) throws(SourceError) -> Template.Match {
        let map = try node.mapping(allowing: [
            "from", "subject_pattern", "body_pattern", "unless_pattern", "unless_subject_pattern",
        ])
        var match = Template.Match()
        if let from = map["from"] {
            if bank.key.hasPrefix("_") {
                throw from.error(
                    "a shared template has no senders",
                    remedy: "Leave 'from' out, or move the template to its bank's folder.")
            }
            for address in try from.strings() {
                guard bank.addresses.isEmpty || bank.addresses.contains(address.lowercased()) else {
                    throw from.error("\(address) is not among the bank's addresses", remedy: "Add it to _bank.yaml.")
                }
                match.from.insert(address.lowercased())
            }
        }
        if let node = map["subject_pattern"] {
            let pattern = try compiler.compiled(node)
            let groups = FieldGroups(pattern)
            for (field, _) in groups.list where !ReadFields.tellable.contains(field) {
                throw node.error(
                    "a subject cannot set \(field.rawValue)",
                    remedy: "It may name merchant, account, reference and vpa; read the others from the text.")
            }
            (match.subject, match.subjectGroups) = (pattern, groups.list.isEmpty ? nil : groups)
        }
        if let node = map["unless_subject_pattern"] {
            let pattern = try compiler.compiled(node)
            guard FieldGroups(pattern).list.isEmpty else {
                throw node.error("an exception sets no field", remedy: "Write (?:…) in place of its named groups.")
            }
            match.unlessSubject = pattern
        }
        match.body = try map["body_pattern"].map { node throws(SourceError) in try compiler.condition(node) }
        match.unless = try map["unless_pattern"].map { node throws(SourceError) in try compiler.condition(node) }
        return match
    }

    private static let fieldKeys: [(key: String, field: Field)] = [
        ("amount_regex", .amount), ("currency_regex", .currency), ("channel_regex", .channel), ("date_regex", .date),
        ("time_regex", .time), ("merchant_regex", .merchant),
        ("account_regex", .account), ("reference_regex", .reference), ("balance_regex", .balance),
        ("limit_regex", .limit), ("vpa_regex", .vpa), ("mcc_regex", .mcc), ("foreign_regex", .foreign),
    ]

    private func readExtraction(_ node: YAMLNode, _ bank: Bank) throws(SourceError) -> Template.Extraction {
        let map = try node.mapping(
            allowing: ["body_pattern", "type", "channel", "currency", "timezone", "date_format", "time_format"]
                + Self.fieldKeys.map(\.key))
        var bodies: [TextPattern] = []
        if let body = map["body_pattern"] {
            for item in body.isScalar ? [body] : try body.list() { bodies.append(try compiler.pattern(item)) }
        }
        var fields: [(Field, TextPattern)] = []
        for (key, field) in Self.fieldKeys {
            if let node = map[key] { fields.append((field, try compiler.pattern(node))) }
        }
        var currency: Currency?
        if let node = map["currency"] {
            currency = Currency(code: try node.string())
            guard currency != nil else { throw node.error("a three-letter ISO 4217 code is expected here") }
        }
        let orders = try map["date_format"].map { node throws(SourceError) in try readOrders(node) } ?? []
        let timeFormat = try map["time_format"]?.string()
        var notation = Template.Extraction.Notation()
        notation.currency = currency
        notation.timeZone = try map["timezone"].map { node throws(SourceError) in
            let name = try node.string()
            guard let zone = IANATimeZone(identifier: name) else {
                throw node.error("unknown time zone '\(name)'", remedy: "Write it as in 'Asia/Singapore'.")
            }
            return zone
        }
        if !orders.isEmpty { notation.dateOrders = orders }
        notation.isTwelveHourUnmarked = timeFormat.map { $0.contains("h") && !$0.contains("a") } ?? false
        let extraction = Template.Extraction(
            bodies: bodies, fields: fields, type: try map.require("type").choice(of: TransactionType.self),
            channel: try map.require("channel").choice(of: Channel.self), notation: notation)
        guard compiler.isProven || extraction.readable.contains(.amount) else {
            throw node.error(
                "nothing here reads an amount",
                remedy: "Name a group (?<amount>…) in body_pattern, or add amount_regex.")
        }
        return extraction
    }

    func readOrders(_ node: YAMLNode) throws(SourceError) -> [DateOrder] {
        var orders: [DateOrder] = []
        for format in try node.strings() {
            guard let order = DateText.order(ofFormat: format) else {
                throw node.error(
                    "'\(format)' is not a date format",
                    remedy: "Write day, month and year with d, M and y, such as dd-MM-yy.")
            }
            orders.append(order)
        }
        return orders
    }
}
