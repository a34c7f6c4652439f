import Chronology
import InternetMessage
import Ledger
import YAMLSource

/// Reads `_bank.yaml` files.
struct BankReader: Sendable {
    /// The folders whose names begin with an underscore, by name.
    let shared: [String: Bank]

    /// `_bank.yaml`.
    func readBank(_ key: String, _ file: YAMLFile) throws(SourceError) -> (bank: Bank, used: [Bank]) {
        let root = try file.root()
        let map = try root.mapping(allowing: [
            "name", "domains", "addresses", "country", "timezone", "currency", "auto_confirm_at", "shared",
            "signing_keys", "sms",
        ])
        var domains: [String] = []
        for domain in try map.require("domains").strings() { domains.append(domain.lowercased()) }
        guard !domains.isEmpty else { throw try map.require("domains").error("at least one domain is needed") }
        let addresses = try readAddresses(map["addresses"], at: domains)
        var region = BankRegion()
        if let node = map["country"] {
            guard let country = Country(code: try node.string()) else {
                throw node.error(
                    "unknown country '\(try node.string())'", remedy: "Use a two-letter ISO 3166 code such as TH.")
            }
            region.country = country
        }
        let zoneName = try map["timezone"]?.string() ?? region.country?.timeZone ?? IANATimeZone.kolkata.identifier
        guard let zone = IANATimeZone(identifier: zoneName) else {
            throw (map["timezone"] ?? root).error(
                "unknown time zone '\(zoneName)'",
                remedy: "Use an IANA name such as Asia/Kolkata; Debian's package tzdata brings them.")
        }
        let code = try map["currency"]?.string() ?? region.country?.currency.code ?? "INR"
        guard let currency = Currency(code: code) else {
            throw (map["currency"] ?? root).error(
                "'\(code)' is not a currency", remedy: "Use a three-letter ISO 4217 code such as INR.")
        }
        var threshold: Double?
        if let node = map["auto_confirm_at"] {
            guard let value = Double(try node.string()), (0...1).contains(value) else {
                throw node.error("a number from 0 to 1 is expected here")
            }
            threshold = value
        }
        var bank = Bank(
            key: key, name: try map["name"]?.string() ?? key, domains: domains, addresses: addresses, timeZone: zone,
            currency: currency,
            autoConfirmAt: threshold, path: file.path)
        bank.region = region
        if let node = map["signing_keys"] {
            for item in try node.list() { bank.signingKeys.append(try readSigningKey(item, of: domains)) }
        }
        if let node = map["sms"] { bank.smsHeaders = try readSMSHeaders(node) }
        return (bank, try map["shared"].map { node throws(SourceError) in try readUse(node) } ?? [])
    }

    /// The exact addresses of a bank; one that ends in `@` is meant at each of its domains.
    private func readAddresses(_ list: YAMLNode?, at domains: [String]) throws(SourceError) -> Set<String> {
        guard let list else { return [] }
        var addresses: Set<String> = []
        for item in list.isScalar ? [list] : try list.list() {
            let address = try item.string().lowercased()
            if address.hasSuffix("@"), address.utf8.count > 1 {
                for domain in domains { addresses.insert(address + domain) }
                continue
            }
            guard let at = address.lastIndex(of: "@"), domains.contains(String(address[address.index(after: at)...]))
            else {
                throw item.error(
                    "\(address) is not at one of the bank's domains",
                    remedy:
                        "Add its domain to 'domains', or correct the address; one that ends in @ is valid at each of the domains."
                )
            }
            addresses.insert(address)
        }
        return addresses
    }

    /// The headers of the bank's SMS, without the operator's prefix and the category's suffix.
    private func readSMSHeaders(_ list: YAMLNode) throws(SourceError) -> [String] {
        var headers: [String] = []
        for item in list.isScalar ? [list] : try list.list() {
            let text = try item.string()
            guard let header = SMSHeader(text), header.name == text.uppercased() else {
                throw item.error(
                    "'\(text)' is not the header of an SMS sender",
                    remedy: "Write it without prefix and suffix: HDFCBK for VM-HDFCBK and JM-HDFCBK-S.")
            }
            guard !headers.contains(header.name) else {
                throw item.error("'\(header.name)' is listed twice", remedy: "Keep one of them.")
            }
            headers.append(header.name)
        }
        return headers
    }

    /// A key of the bank's signatures, with the day on which it was published.
    private func readSigningKey(_ node: YAMLNode, of domains: [String]) throws(SourceError) -> PinnedKey {
        let map = try node.mapping(allowing: ["domain", "selector", "key", "seen"])
        let domain = try map.require("domain").string().lowercased()
        guard domains.contains(where: { Domain.areAligned($0, domain) }) else {
            throw try map.require("domain").error(
                "\(domain) does not belong to one of the bank's domains",
                remedy: "A signature counts only if its domain (d=) has the organizational domain of From.")
        }
        let record = try map.require("key").string()
        // The library reads at most as many bytes.
        guard record.utf8.count <= 1000, record.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }), record.contains("p=") else {
            throw try map.require("key").error(
                "this is not a key record",
                remedy: "Copy the text that 'dig TXT SELECTOR._domainkey.\(domain)' shows, without quotation marks.")
        }
        guard let seen = CalendarDate(iso: try map.require("seen").string()) else {
            throw try map.require("seen").error("a day is expected here", remedy: "Write it as 2026-01-31.")
        }
        return PinnedKey(
            domain: domain, selector: try map.require("selector").string(), record: record, seen: seen)
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
                    remedy: known.isEmpty
                        ? "Make one beside the banks; its name begins with an underscore."
                        : "Known here: \(known.joined(separator: ", ")).")
            }
            guard !used.contains(where: { $0.key == name }) else {
                throw item.error("'\(name)' is listed twice", remedy: "Keep one of them.")
            }
            used.append(folder)
        }
        return used
    }
}
