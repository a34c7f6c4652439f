import Dispatch
import Ledger
import PCRE2
import Synchronization
import YAMLSource

/// Reads profile folders. Every error of every file is collected, so that one run shows all of them.
struct ProfileLoader {
    private let samples: Bool
    private var errors: [SourceError] = []
    private init(samples: Bool) { self.samples = samples }

    /// The folders whose names begin with an underscore, by name.
    private var shared: [String: Bank] = [:]
    private var compiler = PatternCompiler()

    /// - Parameter samples: false leaves the samples unread: most of every file, and nothing that a daemon needs.
    /// - Returns: the banks, the folders of shared templates as banks that are nobody's, and the words of all their patterns.
    static func load(_ directories: [String], samples: Bool) throws(SourceErrors) -> (banks: [Bank], shared: [Bank], words: Vocabulary) {
        var loader = ProfileLoader(samples: samples)
        let banks = loader.read(directories)
        guard loader.errors.isEmpty else { throw SourceErrors(loader.errors) }
        return (banks, loader.shared.values.sorted { $0.key < $1.key }, loader.compiler.words)
    }

    /// Calls `body`, keeping its error; `nil` where there was one.
    @discardableResult
    private mutating func attempt<T>(_ body: (inout Self) throws(SourceError) -> T) -> T? {
        do throws(SourceError) { return try body(&self) } catch {
            errors.append(error)
            return nil
        }
    }

    private mutating func read(_ directories: [String]) -> [Bank] {
        // Later folders override earlier ones, file by file.
        var files: [String: [String: String]] = [:]
        var commonPath: String?
        for directory in directories {
            guard let names = attempt({ _ throws(SourceError) in try Folder.names(in: directory) }) else { continue }
            for name in names where !name.hasPrefix(".") {
                let path = directory + "/" + name
                if name == "_common.yaml" { commonPath = path }
                guard Folder.isFolder(path), let inside = attempt({ _ throws(SourceError) in try Folder.names(in: path) }) else { continue }
                for file in inside where file.hasSuffix(".yaml") && !file.hasPrefix(".") { files[name, default: [:]][file] = path + "/" + file }
            }
        }
        if let commonPath { attempt { loader throws(SourceError) in loader.compiler = try PatternCompiler(readingCommon: commonPath) } }
        for (key, paths) in files.sorted(by: { $0.key < $1.key }) where key.hasPrefix("_") { readShared(key, paths) }
        // Banks know nothing of each other: as many at a time as the machine has cores.
        let folders = files.filter { !$0.key.hasPrefix("_") }.sorted { $0.key < $1.key }
        let found = Mutex<[Int: (bank: Bank?, errors: [SourceError])]>([:])
        var fresh = self
        fresh.errors = []
        DispatchQueue.concurrentPerform(iterations: folders.count) { [fresh] index in
            var loader = fresh
            let bank = loader.readFolder(folders[index].key, folders[index].value)
            found.withLock { $0[index] = (bank, loader.errors) }
        }
        var banks: [Bank] = []
        for (_, result) in found.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            errors += result.errors
            if let bank = result.bank { banks.append(bank) }
        }
        var owners: [String: String] = [:]
        for bank in banks {
            for domain in bank.domains {
                if let other = owners.updateValue(bank.key, forKey: domain) {
                    errors.append(
                        SourceError(
                            file: files[bank.key]?["_bank.yaml"] ?? bank.key, message: "the domain \(domain) is also \(other)'s",
                            remedy: "A domain belongs to one bank: remove it from one of the two."))
                }
            }
        }
        return banks
    }

    private mutating func readFolder(_ key: String, _ paths: [String: String]) -> Bank? {
        guard let bankPath = paths["_bank.yaml"] else {
            let folder = paths.values.sorted().first ?? key
            errors.append(SourceError(file: folder, message: "the folder '\(key)' has no _bank.yaml", remedy: "Add one with the key domains: the part behind the @ of the bank's addresses."))
            return nil
        }
        guard let (read, used) = attempt({ loader throws(SourceError) in try loader.readBank(key, bankPath) }) else { return nil }
        var bank = read
        var digest = FNV1a()
        let templates = readTemplates(paths, of: bank, into: &digest)
        for folder in used { digest.combine(Array(folder.version.utf8)) }
        bank.version = digest.hexadecimal
        bank.take(templates, shared: used.map(\.own), words: compiler.words)
        if samples, let path = paths["_samples.yaml"] {
            bank.samples = attempt { [bank] loader throws(SourceError) in try loader.readSamples(path, of: bank) } ?? []
        }
        return bank
    }

    /// A folder of templates that no bank owns.
    private mutating func readShared(_ key: String, _ paths: [String: String]) {
        for name in ["_bank.yaml", "_samples.yaml"] {
            guard let path = paths[name] else { continue }
            errors.append(SourceError(file: path, message: "the folder '\(key)' holds shared templates and is no bank", remedy: "Rename the folder so that it does not begin with an underscore, or remove this file."))
        }
        guard let zone = BankTimeZone(identifier: "Asia/Kolkata") else {
            errors.append(SourceError(file: key, message: "unknown time zone 'Asia/Kolkata'", remedy: "Install Debian's package tzdata."))
            return
        }
        // Its samples are from nobody's address unless they say more: no mail comes from there (RFC 2606).
        var folder = Bank(key: key, name: key, domains: [key.drop { $0 == "_" } + ".example"], addresses: [], timeZone: zone, currency: .inr, autoConfirmAt: nil, path: paths.values.min() ?? key)
        var digest = FNV1a()
        folder.take(readTemplates(paths, of: folder, into: &digest), words: compiler.words)
        folder.version = digest.hexadecimal
        shared[key] = folder
    }

    private mutating func readTemplates(_ paths: [String: String], of bank: Bank, into digest: inout FNV1a) -> [Template] {
        var templates: [Template] = []
        for (name, path) in paths.sorted(by: { $0.key < $1.key }) {
            guard let file = attempt({ _ throws(SourceError) in try YAMLFile(path: path) }) else { continue }
            digest.combine(Array(name.utf8) + [0] + file.bytes + [0])
            if name.hasPrefix("_") { continue }
            let expected = bank.key + "/" + name.dropLast(".yaml".count)
            if let template = attempt({ loader throws(SourceError) in try loader.readTemplate(file, named: expected, of: bank) }) {
                templates.append(template)
            }
        }
        return templates
    }

    private func readBank(_ key: String, _ path: String) throws(SourceError) -> (Bank, [Bank]) {
        let root = try YAMLFile(path: path).root()
        let map = try root.mapping(allowing: ["name", "domains", "addresses", "timezone", "currency", "auto_confirm_at", "shared"])
        var domains: [String] = []
        for domain in try map.require("domains").strings() { domains.append(domain.lowercased()) }
        guard !domains.isEmpty else { throw try map.require("domains").error("at least one domain is needed") }
        var addresses: Set<String> = []
        if let list = map["addresses"] {
            for item in list.isScalar ? [list] : try list.list() {
                let address = try item.string().lowercased()
                guard let at = address.lastIndex(of: "@"), domains.contains(String(address[address.index(after: at)...])) else {
                    throw item.error("\(address) is not at one of the bank's domains", remedy: "Add its domain to 'domains', or correct the address.")
                }
                addresses.insert(address)
            }
        }
        let zoneName = try map["timezone"]?.string() ?? "Asia/Kolkata"
        guard let zone = BankTimeZone(identifier: zoneName) else {
            throw (map["timezone"] ?? root).error("unknown time zone '\(zoneName)'", remedy: "Use an IANA name such as Asia/Kolkata; Debian's package tzdata brings them.")
        }
        let code = try map["currency"]?.string() ?? "INR"
        guard let currency = Currency(code: code) else {
            throw (map["currency"] ?? root).error("'\(code)' is not a currency", remedy: "Use a three-letter ISO 4217 code such as INR.")
        }
        var threshold: Double?
        if let node = map["auto_confirm_at"] {
            guard let value = Double(try node.string()), (0...1).contains(value) else { throw node.error("a number from 0 to 1 is expected here") }
            threshold = value
        }
        let bank = Bank(
            key: key, name: try map["name"]?.string() ?? key, domains: domains, addresses: addresses, timeZone: zone, currency: currency,
            autoConfirmAt: threshold, path: path)
        return (bank, try map["shared"].map { node throws(SourceError) in try readUse(node) } ?? [])
    }

    /// The folders of shared templates that a bank names.
    private func readUse(_ node: YAMLNode) throws(SourceError) -> [Bank] {
        var used: [Bank] = []
        for item in node.isScalar ? [node] : try node.list() {
            let name = try item.string()
            guard let folder = shared[name] else {
                let known = shared.keys.sorted()
                throw item.error(
                    "there is no folder of shared templates named '\(name)'",
                    remedy: known.isEmpty ? "Make one beside the banks; its name begins with an underscore." : "Known here: \(known.joined(separator: ", ")).")
            }
            guard !used.contains(where: { $0.key == name }) else { throw item.error("'\(name)' stands twice", remedy: "Keep one of them.") }
            used.append(folder)
        }
        return used
    }

    /// `_samples.yaml`: mails of a bank, each with the template that must claim it.
    private func readSamples(_ path: String, of bank: Bank) throws(SourceError) -> [BankSample] {
        let known = Set(bank.allTemplates.map(\.name))
        var samples: [BankSample] = []
        for node in try YAMLFile(path: path).root().mapping(allowing: ["samples"]).require("samples").list() {
            let named = try node.mapping().require("template")
            let template = try named.string()
            guard known.contains(template) else {
                throw named.error("'\(template)' is no template of this bank", remedy: "Name one of its folder, or of a folder under 'shared' in its _bank.yaml.")
            }
            samples.append(BankSample(template: template, sample: try readSample(node, bank, more: ["template"]), path: path))
        }
        return samples
    }
}

extension ProfileLoader {
    private func readTemplate(_ file: YAMLFile, named expected: String, of bank: Bank) throws(SourceError) -> Template {
        let map = try file.root(omitting: samples ? nil : "samples").mapping(allowing: ["template", "kind", "reason", "summary", "match", "extract", "samples"])
        let nameNode = try map.require("template")
        let name = try nameNode.string()
        guard name == expected else { throw nameNode.error("the template is named '\(name)' but stands in \(expected).yaml", remedy: "Name it '\(expected)'.") }

        let kindNode = try map.require("kind")
        let kind: Template.Kind
        switch try kindNode.string() {
        case "transaction":
            if let reason = map["reason"] { throw reason.error("'reason' is for kind: ignore only") }
            kind = .transaction(try readExtraction(try map.require("extract"), bank))
        case "ignore":
            if let extract = map["extract"] { throw extract.error("kind: ignore extracts nothing", remedy: "Move its pattern to match.body_pattern.") }
            kind = .ignore(try choice(try map.require("reason"), Template.IgnoreReason.self))
        case let other: throw kindNode.error("unknown kind '\(other)'", remedy: "Use transaction or ignore.")
        }
        let match = try map["match"].map { node throws(SourceError) in try readMatch(node, bank) } ?? Template.Match()
        if case .ignore = kind, match.body == nil, match.subject == nil {
            throw (map["match"] ?? map.node).error("an ignore template needs a subject_pattern or a body_pattern", remedy: "Otherwise it would claim every mail of the bank.")
        }
        var samples: [Sample] = []
        for node in try map["samples"]?.list() ?? [] { samples.append(try readSample(node, bank)) }
        return Template(name: name, kind: kind, match: match, samples: samples, path: file.path)
    }

    private func readMatch(_ node: YAMLNode, _ bank: Bank) throws(SourceError) -> Template.Match {
        let map = try node.mapping(allowing: ["from", "subject_pattern", "body_pattern", "unless_pattern"])
        var match = Template.Match()
        if let from = map["from"] {
            if bank.key.hasPrefix("_") { throw from.error("a shared template has no senders", remedy: "Leave 'from' out, or move the template to its bank's folder.") }
            for address in try from.strings() {
                guard bank.addresses.isEmpty || bank.addresses.contains(address.lowercased()) else {
                    throw from.error("\(address) is not among the bank's addresses", remedy: "Add it to _bank.yaml.")
                }
                match.from.insert(address.lowercased())
            }
        }
        match.subject = try map["subject_pattern"].map { node throws(SourceError) in try compiler.pattern(node).pattern }
        match.body = try map["body_pattern"].map { node throws(SourceError) in try compiler.pattern(node) }
        match.unless = try map["unless_pattern"].map { node throws(SourceError) in try compiler.pattern(node) }
        return match
    }

    private static let fieldKeys: [(key: String, field: Field)] = [
        ("amount_regex", .amount), ("currency_regex", .currency), ("channel_regex", .channel), ("date_regex", .date), ("time_regex", .time), ("merchant_regex", .merchant),
        ("account_regex", .account), ("reference_regex", .reference), ("balance_regex", .balance), ("limit_regex", .limit), ("vpa_regex", .vpa),
    ]

    private func readExtraction(_ node: YAMLNode, _ bank: Bank) throws(SourceError) -> Template.Extraction {
        let map = try node.mapping(allowing: ["body_pattern", "type", "channel", "currency", "date_format", "time_format"] + Self.fieldKeys.map(\.key))
        var bodies: [TextPattern] = []
        if let body = map["body_pattern"] {
            for item in body.isScalar ? [body] : try body.list() { bodies.append(try compiler.pattern(item)) }
        }
        var fields: [(Field, Pattern)] = []
        for (key, field) in Self.fieldKeys {
            if let node = map[key] { fields.append((field, try compiler.pattern(node).pattern)) }
        }
        var currency: Currency?
        if let node = map["currency"] {
            currency = Currency(code: try node.string())
            guard currency != nil else { throw node.error("a three-letter ISO 4217 code is expected here") }
        }
        var orders: [DateText.Order] = []
        if let node = map["date_format"] {
            for format in try node.strings() {
                guard let order = DateText.order(ofFormat: format) else {
                    throw node.error("'\(format)' is not a date format", remedy: "Write day, month and year with d, M and y, such as dd-MM-yy.")
                }
                orders.append(order)
            }
        }
        let timeFormat = try map["time_format"]?.string()
        let extraction = Template.Extraction(
            bodies: bodies, fields: fields, type: try choice(try map.require("type"), TransactionType.self),
            channel: try choice(try map.require("channel"), Channel.self), currency: currency, dateOrders: orders.isEmpty ? [.dayMonthYear] : orders,
            isTwelveHourUnmarked: timeFormat.map { $0.contains("h") && !$0.contains("a") } ?? false)
        guard extraction.readable.contains(.amount) else {
            throw node.error("nothing here reads an amount", remedy: "Name a group (?<amount>…) in body_pattern, or add amount_regex.")
        }
        return extraction
    }

    private func choice<T: RawRepresentable & CaseIterable>(_ node: YAMLNode, _: T.Type) throws(SourceError) -> T where T.RawValue == String {
        let text = try node.string()
        guard let value = T(rawValue: text) else {
            throw node.error("unknown value '\(text)'", remedy: "Use one of: \(T.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return value
    }

    private func readSample(_ node: YAMLNode, _ bank: Bank, more keys: [String] = []) throws(SourceError) -> Sample {
        let map = try node.mapping(allowing: ["name", "from", "date", "subject", "text", "html", "expect"] + keys)
        let body: Sample.Body
        switch (map["text"], map["html"]) {
        case (let text?, nil): body = .text(try text.string())
        case (nil, let html?): body = .html(try html.string())
        default: throw node.error("a sample needs either text or html")
        }
        // A sample without one loads, so that `parserctl test --accept` can write it; it fails the test until then.
        var expectation = Sample.Expectation.missing
        var day: CalendarDate?
        if let expect = map["expect"], expect.isScalar {
            switch try expect.string() {
            case "": expectation = .missing
            case "none": expectation = .none
            case "ignored": expectation = .ignored
            default: throw expect.error("'none', 'ignored' or the expected fields are expected here")
            }
        } else if let expect = map["expect"] {
            var fields: [Field: String] = [:]
            let map = try expect.mapping(allowing: Field.allCases.map(\.rawValue))
            for (key, _) in map.keys {
                if let field = Field(rawValue: key), let value = map[key] { fields[field] = try value.string() }
            }
            if let text = fields[.date] {
                day = CalendarDate(iso: text)
                if day == nil { throw (map["date"] ?? expect).error("'\(text)' is not a date", remedy: "Write yyyy-mm-dd.") }
            }
            expectation = .fields(fields)
        }
        guard let address = try map["from"]?.string() ?? bank.addresses.sorted().first ?? bank.domains.first.map({ "alerts@" + $0 }) else {
            throw node.error("a sample needs 'from'")
        }
        return Sample(
            name: try map.require("name").string(), from: address, date: try map["date"]?.string() ?? Self.evening(of: day),
            subject: try map["subject"]?.string() ?? "", body: body, expectation: expectation, line: node.line)
    }

    /// 23:00 in India on that day (2026-01-05 where the sample expects none), as an RFC 5322 date.
    static func evening(of day: CalendarDate?) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let day else { return "05 Jan 2026 23:00:00 +0530" }
        return "\(day.day) \(months[day.month - 1]) \(day.year) 23:00:00 +0530"
    }
}
