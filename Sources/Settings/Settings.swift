public import Chronology
import DurableFiles
import Glibc
public import Ledger
public import YAMLSource

/// The configuration file (spendwise.yaml(5)), read once at start. It holds paths of secrets, never secrets.
public struct Settings: Sendable {
    /// SQLite database file.
    public var database: String
    /// Profile folders; a later file replaces an earlier one with the same relative path.
    public var parsers: [String]
    /// The folder of the templates that the page asked for, which the mail reader writes.
    public var activatedTemplates: String { FilePlace.folder(of: database) + "/activated" }
    /// The shipped categories and keywords.
    public var categories: String
    /// The confidence in 0...1 from which a draft is booked without a person.
    public var autoConfirmAt: Double
    /// Settings of single banks.
    public var banks: BankSettings
    /// Days for which bytes of bank mail are kept for replay; 0 keeps none.
    public var keepRawDays: Int
    /// Limit of all retained bytes as they are stored; `nil` means none.
    public var keepRawBytes: UInt64?
    /// Part of settled bank mail that is kept.
    public var keepsSettled = SettledKeeping.text
    /// SMS are booked as mails are, without a person.
    public var booksSMS = false
    /// The time zone that defines "today" and the time of a transaction entered by hand.
    public var timeZone: IANATimeZone
    /// The currency of totals over accounts of several currencies.
    public var homeCurrency: Currency
    /// Days before its day on which a payment is announced.
    public var dueDays: Int
    /// Days after which the newest backup is outdated; `nil` if the configuration does not ask for backups.
    public var backupDays: Int?
    public var mailboxes: [MailboxSettings]
    /// Mailboxes that are Maildirs on this machine.
    public var maildirs: [MaildirSettings]
    /// The entries of ``mailboxes`` and ``maildirs``, for those that are added on the page.
    let entries: MailboxEntries
    /// The sinks of notifications.
    public var notifications: [SinkSettings]
    public var web: WebSettings
    /// The passwords of statements.
    public var statements: [StatementPassword]

    /// Reads and checks the file. Relative paths are relative to its folder.
    public init(path: String) throws(SourceError) { try self.init(YAMLFile(path: path)) }

    /// - Parameter passwordCommand: the login of the mailboxes that name none, the secret of receivers and the password
    ///   of statements; `nil` if each must name one.
    public init(_ file: YAMLFile, passwordCommand: String? = nil) throws(SourceError) {
        let map = try file.root().mapping(allowing: [
            "database", "parsers", "categories", "auto_confirm_at", "banks", "keep_raw", "timezone", "home_currency",
            "due_days", "backup_due", "mailboxes", "notifications", "sms", "web", "statements",
        ])
        let folder = FilePlace.folder(of: file.path)
        database = try Self.path(map.require("database"), in: folder)
        parsers = try Self.paths(map.require("parsers"), in: folder)
        categories =
            try map["categories"].map { node throws(SourceError) in try Self.path(node, in: folder) }
            ?? InstalledFiles.categories
        timeZone = try map["timezone"].map { node throws(SourceError) in try node.timeZone() } ?? .kolkata
        homeCurrency = try map["home_currency"].map { node throws(SourceError) in try node.knownCurrency() } ?? .inr
        dueDays = try map["due_days"].map { node throws(SourceError) in try node.dayCount() } ?? 3
        backupDays = try map["backup_due"].map { node throws(SourceError) in try node.duration() / 86_400 }
        banks = BankSettings()
        if let node = map["banks"] { try banks.readNamed(node) }
        autoConfirmAt = Decision.usualThreshold
        if let node = map["auto_confirm_at"], let value = try banks.readThresholds(node) { autoConfirmAt = value }
        keepRawDays = 90
        let state = Self.stateFolder(database: database)
        entries = try MailboxEntries(
            try map["mailboxes"]?.list() ?? [],
            in: MailboxPlace(folder: folder, state: state, passwordCommand: passwordCommand))
        (mailboxes, maildirs) = (entries.servers, entries.maildirs)
        let secret = passwordCommand.map(SecretSource.command)
        let sinks = SinkPlace(folder: folder, secret: secret)
        notifications =
            try map["notifications"].map { node throws(SourceError) in try SinkSettings.all(node, in: sinks) } ?? []
        statements =
            try map["statements"].map { node throws(SourceError) in
                try StatementPassword.all(node, folder: folder, or: secret)
            } ?? []
        web = WebSettings()
        if let node = map["web"] { try web.read(node, folder: folder, state: state) }
        if let node = map["keep_raw"] { try readKeeping(node) }
        if let node = map["sms"], let item = try node.mapping(allowing: ["auto_confirm"])["auto_confirm"] {
            booksSMS = try item.flag()
        }
    }

    /// `keep_raw: 90d`, or `keep_raw: { for: 90d, mails: unsettled, at_most: 2GB }`.
    private mutating func readKeeping(_ node: YAMLNode) throws(SourceError) {
        if node.isScalar {
            keepRawDays = try node.duration() / 86400
            return
        }
        let map = try node.mapping(allowing: ["for", "mails", "at_most"])
        if let node = map["at_most"] { keepRawBytes = try node.byteCount() }
        if let node = map["for"] { keepRawDays = try node.duration() / 86400 }
        if let node = map["mails"] {
            guard let keeping = SettledKeeping(rawValue: try node.string()) else {
                throw node.error("unknown value '\(try node.string())'", remedy: "Use text, all or unsettled.")
            }
            keepsSettled = keeping
        }
    }

    /// State folder (systemd.exec(5), StateDirectory; the value can hold several folders separated by colons).
    /// Otherwise the ledger's folder.
    private static func stateFolder(database: String) -> String {
        if let folders = getenv("STATE_DIRECTORY"), let first = String(cString: folders).split(separator: ":").first {
            return String(first)
        }
        return FilePlace.folder(of: database)
    }

    /// - Parameter folder: of the configuration file; a relative path is relative to it.
    public static func path(_ node: YAMLNode, in folder: String) throws(SourceError) -> String {
        let text = try node.string()
        guard !text.isEmpty else { throw node.error("a path is expected here") }
        return text.hasPrefix("/") ? text : folder + "/" + text
    }

    /// One path, or a list of paths; see ``path(_:in:)``.
    public static func paths(_ node: YAMLNode, in folder: String) throws(SourceError) -> [String] {
        var paths: [String] = []
        for item in node.isScalar ? [node] : try node.list() { paths.append(try path(item, in: folder)) }
        return paths
    }
}

extension YAMLNode {
    /// `true` or `false`.
    public func flag() throws(SourceError) -> Bool {
        switch try string() {
        case "true": true
        case "false": false
        case let text: throw error("'\(text)' is neither true nor false")
        }
    }

    /// A number of days up to a month.
    func dayCount() throws(SourceError) -> Int {
        let text = try string()
        guard let days = Int(text), (0...31).contains(days) else {
            throw error("'\(text)' is not a number of days", remedy: "Write a whole number from 0 to 31.")
        }
        return days
    }

    /// A currency that ISO 4217 lists.
    func knownCurrency() throws(SourceError) -> Currency {
        let text = try string()
        guard let currency = Currency(code: text), currency.isKnown else {
            throw error("unknown currency '\(text)'", remedy: "Write the three letters of ISO 4217, such as INR.")
        }
        return currency
    }

    /// An IANA time zone.
    func timeZone() throws(SourceError) -> IANATimeZone {
        let text = try string()
        guard let zone = IANATimeZone(identifier: text) else {
            throw error(
                "unknown time zone '\(text)'",
                remedy: "Use a name such as Asia/Kolkata; 'timedatectl list-timezones' lists them.")
        }
        return zone
    }

    /// Seconds, written as a number with a unit: `90d`, `12h`, `5m`, `30s`; `0` needs no unit.
    func duration() throws(SourceError) -> Int {
        let text = try string()
        if text == "0" { return 0 }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), (0...36500).contains(count)
        else {
            throw error(
                "'\(text)' is not a length of time", remedy: "Write a number and s, m, h or d, such as 5m or 90d.")
        }
        return count * unit
    }

    /// Bytes, written as a number with a unit: `500MB`, `2GB` (powers of ten).
    func byteCount() throws(SourceError) -> UInt64 {
        let text = try string()
        let units: [String: UInt64] = ["MB": 1_000_000, "GB": 1_000_000_000]
        guard let unit = units[String(text.suffix(2)).uppercased()],
            let count = UInt64(text.dropLast(2).filter { $0 != " " }), (1...100_000).contains(count)
        else {
            throw error(
                "'\(text)' is not a number of bytes", remedy: "Write a number and MB or GB, such as 2GB, or none.")
        }
        return count * unit
    }
}
