import DurableFiles
import Glibc
public import Ledger
public import YAMLSource

/// The receivers of notifications that were added on the page: `notifications.yaml` in the mail reader's own folder, in
/// the form of `notifications:` in the configuration, and their secrets in `sinks`.
///
/// They learn what happened and how often, without values and names, whatever the file says: a page that was taken over
/// must not have the books sent to a server of its choice.
public struct AddedSinks: Sendable {
    private let mailboxes: AddedMailboxes

    public init(beside mailboxes: AddedMailboxes) { self.mailboxes = mailboxes }

    /// `nil` without a folder of the mail reader.
    public init?(ledger: String) {
        guard let mailboxes = AddedMailboxes(ledger: ledger) else { return nil }
        self.init(beside: mailboxes)
    }

    public var path: String { mailboxes.folder + "/notifications.yaml" }
    /// The private key that opens what the page sealed.
    public var key: SecretFile { mailboxes.key }

    /// The folder of the secrets. Each has a name of its own, so that a receiver that is being replaced cannot send the
    /// secret of the new one to the former server.
    private static let secrets = "sinks/"
    /// Length of the random end of such a name, after a full stop.
    private static let endLength = 8

    private static func newSecret(of name: String) -> String {
        let end = String(UInt32.random(in: .min ... .max), radix: 16)
        return secrets + name + "." + String(repeating: "0", count: endLength - end.utf8.count) + end
    }

    private var list: EntryList {
        EntryList(
            path: path, key: "notifications",
            comment:
                "# Receivers that were added on the page. The program writes this file; change them on the page."
        )
    }

    /// An entry that is not used.
    public struct Problem: Sendable {
        /// `nil` if the entry has no name.
        public let name: String?
        public let error: SourceError
    }

    /// Reads the entries beside those of the configuration. One that cannot be used does not stop the others.
    ///
    /// - Throws: the fault of the whole file.
    public func read(
        beside configured: [SinkSettings]
    ) throws(SourceError) -> (sinks: [SinkSettings], problems: [Problem]) {
        var sinks: [SinkSettings] = []
        var problems: [Problem] = []
        for node in try list.items() {
            do throws(SourceError) {
                let sink = try Self.sink(node, mailboxes.folder)
                guard !(configured + sinks).contains(where: { $0.name == sink.name }) else {
                    throw node.error(
                        "two sinks are named '\(sink.name)'", remedy: "Rename the one in the configuration.")
                }
                sinks.append(sink)
            } catch {
                problems.append(Problem(name: try? node.mapping()["name"]?.string(), error: error))
            }
        }
        return (sinks, problems)
    }

    private static func sink(_ node: YAMLNode, _ folder: String) throws(SourceError) -> SinkSettings {
        var sink = try SinkSettings(node, in: SinkPlace(folder: folder))
        (sink.hidesDetails, sink.hidesAmount, sink.hidesMerchant) = (true, true, true)
        return sink
    }

    /// Writes the secret, then the entry in the place of a former one, and removes the former secret. A crash between
    /// them leaves a secret without an entry, which the next attempt removes.
    ///
    /// - Parameters:
    ///   - name: one that can be a file's.
    ///   - receiver: `nil` to keep the present one.
    /// - Returns: false if there is no receiver to keep.
    public func write(
        _ name: String, _ receiver: TypedReceiver?, events: Set<NotificationKind>, quiet: QuietSettings?
    ) throws -> Bool {
        try mailboxes.makeFolders()
        var values: [(String, YAMLValue)] = [("name", .text(name))]
        let secret = Self.newSecret(of: name)
        if let receiver {
            values += Self.pairs(receiver, secret)
        } else {
            guard let present = try pairs(of: name) else { return false }
            values += present
        }
        let all = NotificationKind.allCases.filter(events.contains)
        values.append(("events", .list(all.map { .text($0.rawValue) })))
        if let quiet {
            values.append(
                (
                    "quiet",
                    .fields([.init("from", .text(quiet.fromText)), .init("to", .text(quiet.toText))])
                ))
        }
        values.append(("details", .text("hidden")))
        let lines = values.enumerated().map { index, pair in
            (index == 0 ? "  - " : "    ") + pair.0 + ": " + pair.1.flow
        }
        for node in try list.items(of: lines) { _ = try Self.sink(node, mailboxes.folder) }
        let file = try list.replacing(name, with: lines)
        if let value = receiver?.values[.secret] {
            let place = SecretFile(.password, name: mailboxes.folder + "/" + secret, folder: mailboxes.folder)
            try place.write([Array(value.utf8)])
        }
        try list.write(file)
        if receiver != nil { try removeSecrets(of: name, but: secret) }
        return true
    }

    private static func pairs(_ receiver: TypedReceiver, _ secret: String) -> [(String, YAMLValue)] {
        let secretKey =
            switch receiver.kind {
            case .ntfy: "token_file"
            case .webhook: "secret_file"
            case .email: "password_file"
            }
        var pairs: [(String, YAMLValue)] = [("kind", .text(receiver.kind.rawValue))]
        for field in TypedReceiver.fields(of: receiver.kind) {
            guard let value = receiver.values[field] else { continue }
            pairs.append(field == .secret ? (secretKey, .text(secret)) : (field.rawValue, .text(value)))
        }
        return pairs
    }

    /// What the present entry says about the receiver.
    private func pairs(of name: String) throws(SourceError) -> [(String, YAMLValue)]? {
        for node in try list.items() {
            let map = try node.mapping()
            guard try map["name"]?.string() == name else { continue }
            var pairs: [(String, YAMLValue)] = []
            for (key, _) in map.keys where !["name", "events", "quiet", "details"].contains(key) {
                if let value = try map[key]?.string() { pairs.append((key, .text(value))) }
            }
            return pairs
        }
        return nil
    }

    /// Removes the entry, then its secret.
    public func remove(_ name: String) throws {
        try list.remove(name)
        try removeSecrets(of: name)
    }

    /// Removes the secrets of a receiver, also those that a crash left.
    private func removeSecrets(of name: String, but kept: String? = nil) throws(SecretError) {
        let folder = mailboxes.folder + "/" + Self.secrets
        for file in FolderEntries.names(folder) ?? [] where Self.secrets + file != kept {
            guard file.hasPrefix(name + "."), file.utf8.count == name.utf8.count + 1 + Self.endLength else { continue }
            guard unlink(folder + file) != 0, errno != ENOENT else { continue }
            throw SecretError(
                "\(folder)\(file) cannot be removed: \(String(cString: strerror(errno)))",
                remedy: "Remove it as the owner of the folder.")
        }
    }
}

extension SinkSettings {
    /// The server, without what may be secret.
    public var host: String {
        switch receiver {
        case .apns(let apns): apns.topic
        case .ntfy(let ntfy): SinkURL.authority(of: ntfy.server).map(String.init) ?? ""
        case .webhook(let webhook): SinkURL.authority(of: webhook.url).map(String.init) ?? ""
        case .email(let email): email.host
        }
    }

    /// `nil` for a kind that the page does not add.
    public var kind: ReceiverKind? {
        switch receiver {
        case .apns: nil
        case .ntfy: .ntfy
        case .webhook: .webhook
        case .email: .email
        }
    }
}

extension QuietSettings {
    /// `22:30`.
    public var fromText: String { Self.text(from) }
    public var toText: String { Self.text(to) }

    public static func text(_ minute: Int) -> String {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour):" + (rest < 10 ? "0" : "") + "\(rest)"
    }
}
