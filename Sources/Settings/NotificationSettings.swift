public import Ledger
import YAMLSource

/// What the entries of `notifications:` have in common.
struct SinkPlace {
    /// The configuration's folder.
    let folder: String
    /// The secret of the entries that need one and name none; `nil` if each must name one.
    var secret: SecretSource?
}

/// One entry of `notifications:`: a receiver, its events and their level of detail.
public struct SinkSettings: Sendable {
    public enum Receiver: Sendable {
        case apns(APNsSettings)
        case ntfy(NtfySettings)
        case webhook(WebhookSettings)
        case email(EmailSettings)
    }

    /// Unique name, which identifies the sink in the database.
    public var name: String
    public var receiver: Receiver
    public var events: Set<NotificationKind>
    public var quiet: QuietSettings?
    /// Hides amounts and currencies from this sink.
    public var hidesAmount: Bool
    /// Hides counterparties from this sink.
    public var hidesMerchant: Bool
    /// Sends what happened and how often, without any value or name.
    public var hidesDetails: Bool
    /// Smaller transactions send no notification.
    public var minimum: MinimumAmount
    /// Maximum age of the mail in seconds: events of older mail are not sent.
    public var maxAge: Int
    /// Title of transactions and drafts.
    public var title: MessageTemplate?
    public var body: MessageTemplate?
    /// PEM file of a private certification authority, used instead of the system's.
    public var caFile: String?

    private static let common = [
        "name", "kind", "events", "quiet", "details", "amount", "merchant", "minimum_amount", "max_age", "title",
        "body",
        "ca_file",
    ]
    private static let kinds: [(name: String, keys: [String])] = [
        ("apns", APNsSettings.keys), ("ntfy", NtfySettings.keys), ("webhook", WebhookSettings.keys),
        ("email", EmailSettings.keys),
    ]

    init(_ node: YAMLNode, in place: SinkPlace) throws(SourceError) {
        let kindNode = try node.mapping().require("kind")
        let kind = try kindNode.string()
        guard let keys = Self.kinds.first(where: { $0.name == kind })?.keys else {
            throw kindNode.error(
                "unknown kind '\(kind)'", remedy: "Known here: \(Self.kinds.map(\.name).joined(separator: ", ")).")
        }
        let map = try node.mapping(allowing: Self.common + keys)
        let nameNode = try map.require("name")
        name = try nameNode.string()
        guard !name.isEmpty, name.utf8.count <= 100, name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw nameNode.error("a sink needs a name without blanks", remedy: "Such as phone.")
        }
        switch kind {
        case "apns": receiver = .apns(try APNsSettings(map, folder: place.folder))
        case "ntfy": receiver = .ntfy(try NtfySettings(map, folder: place.folder))
        case "webhook": receiver = .webhook(try WebhookSettings(map, in: place))
        default: receiver = .email(try EmailSettings(map, in: place))
        }
        events =
            try map["events"].map { node throws(SourceError) in try Self.kinds(node) } ?? Set(NotificationKind.allCases)
        quiet = try map["quiet"].map { node throws(SourceError) in try QuietSettings(node) }
        hidesDetails = try Self.isHidden(map["details"])
        hidesAmount = try Self.isHidden(map["amount"]) || hidesDetails
        hidesMerchant = try Self.isHidden(map["merchant"]) || hidesDetails
        minimum =
            try map["minimum_amount"].map { node throws(SourceError) in try MinimumAmount(node) } ?? MinimumAmount()
        maxAge = try map["max_age"].map { node throws(SourceError) in try node.duration() } ?? 86_400
        title = try map["title"].map { node throws(SourceError) in try MessageTemplate(node) }
        body = try map["body"].map { node throws(SourceError) in try MessageTemplate(node) }
        caFile = try map["ca_file"].map { node throws(SourceError) in try Settings.path(node, in: place.folder) }
    }

    static func kinds(_ node: YAMLNode) throws(SourceError) -> Set<NotificationKind> {
        var result: Set<NotificationKind> = []
        for item in node.isScalar ? [node] : try node.list() {
            let text = try item.string()
            guard let kind = NotificationKind(rawValue: text) else {
                throw item.error(
                    "unknown event '\(text)'",
                    remedy: "Known here: \(NotificationKind.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            result.insert(kind)
        }
        return result
    }

    private static func isHidden(_ node: YAMLNode?) throws(SourceError) -> Bool {
        guard let node else { return false }
        switch try node.string() {
        case "hidden": return true
        case "shown": return false
        case let other: throw node.error("unknown value '\(other)'", remedy: "Use hidden or shown.")
        }
    }

    /// Reads all sinks; their names are unique.
    static func all(_ node: YAMLNode, in place: SinkPlace) throws(SourceError) -> [SinkSettings] {
        var sinks: [SinkSettings] = []
        for item in try node.list() {
            let sink = try SinkSettings(item, in: place)
            guard !sinks.contains(where: { $0.name == sink.name }) else {
                throw item.error(
                    "two sinks are named '\(sink.name)'",
                    remedy: "Give each sink its own name, which identifies its waiting messages.")
            }
            sinks.append(sink)
        }
        return sinks
    }
}

/// Smallest amount of a transaction that sends a notification.
public struct MinimumAmount: Sendable, Hashable {
    /// Thousandths of the currency's unit; the empty key holds the default for other currencies.
    public var thousandths: [String: Int64] = [:]

    public init(_ thousandths: [String: Int64] = [:]) { self.thousandths = thousandths }

    init(_ node: YAMLNode) throws(SourceError) {
        if node.isScalar {
            thousandths[""] = try Self.read(node)
            return
        }
        let map = try node.mapping()
        for (code, place) in map.keys {
            guard let currency = Currency(code: code) else {
                throw place.error("'\(code)' is not a currency", remedy: "Write its code, such as INR.")
            }
            if let value = map[code] { thousandths[currency.code] = try Self.read(value) }
        }
    }

    public func admits(_ money: Money) -> Bool {
        guard let least = thousandths[money.currency.code] ?? thousandths[""] else { return true }
        let (scale, overflows) = (
            money.currency.exponent == 3 ? 1 : money.currency.exponent == 2 ? 10 : 1000, Int64.max / 1000
        )
        guard money.minorUnits.magnitude < overflows else { return true }
        return Int64(money.minorUnits.magnitude) * Int64(scale) >= least
    }

    private static func read(_ node: YAMLNode) throws(SourceError) -> Int64 {
        let text = try node.string()
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber =
            (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard isNumber, parts[0].utf8.count <= 12, parts.count == 1 || parts[1].utf8.count <= 3,
            let whole = Int64(parts[0])
        else {
            throw node.error(
                "'\(text)' is not an amount",
                remedy: "Write it as 500 or 499.50, or for each currency: { INR: 500, USD: 10 }.")
        }
        let fraction =
            parts.count == 2 ? Int64(parts[1] + String(repeating: "0", count: 3 - parts[1].utf8.count)) ?? 0 : 0
        return whole * 1000 + fraction
    }
}
