import Codecs
public import Ledger

/// A receiver of notifications as a person types it on the page. It may hold secrets.
public struct TypedReceiver: Sendable {
    public enum Field: String, Sendable, CaseIterable {
        case url, host, port, tls, user, from, to
        /// The access token, signing secret or password.
        case secret
    }

    public enum Fault: String, Sendable, CaseIterable {
        case missing
        case tooLong = "too-long"
        case line
        case https
        case server
        case topic
        case host
        case port
        case tls
        case address
        case key
        case token
        /// A user without a password, or the reverse.
        case login
    }

    public var kind: ReceiverKind
    public var values: [Field: String]

    /// Limit of a value in bytes.
    public static let maximumBytes = 255

    public init(_ kind: ReceiverKind, _ values: [Field: String]) {
        self.kind = kind
        self.values = values.filter { !$0.value.isEmpty && Self.fields(of: kind).contains($0.key) }
    }

    /// In the order of the form.
    public static func fields(of kind: ReceiverKind) -> [Field] {
        switch kind {
        case .ntfy, .webhook: [.url, .secret]
        case .email: [.host, .port, .tls, .user, .secret, .from, .to]
        }
    }

    /// True if nothing was typed. A form always has a choice of TLS.
    public var isEmpty: Bool { values.keys.allSatisfy { $0 == .tls } }

    /// The server, which is no secret. Empty if the address has faults.
    public var host: String {
        switch kind {
        case .email: values[.host] ?? ""
        case .ntfy, .webhook: SinkURL.authority(of: values[.url] ?? "").map(String.init) ?? ""
        }
    }

    /// At most one for each field. The page adds receivers with TLS only, without exceptions for this machine: what
    /// listens on it may trust local programs.
    public var faults: [Field: Fault] {
        var faults: [Field: Fault] = [:]
        for field in Self.fields(of: kind) {
            guard let value = values[field] else {
                if isRequired(field) { faults[field] = .missing }
                continue
            }
            if value.utf8.count > Self.maximumBytes {
                faults[field] = .tooLong
            } else if value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                faults[field] = .line
            } else {
                faults[field] = fault(field, value)
            }
        }
        if kind == .email, faults.isEmpty, (values[.user] == nil) != (values[.secret] == nil) {
            faults[values[.user] == nil ? .user : .secret] = .login
        }
        return faults
    }

    private func isRequired(_ field: Field) -> Bool {
        switch field {
        case .url, .host, .from, .to: true
        case .secret: kind == .webhook
        case .port, .tls, .user: false
        }
    }

    private func fault(_ field: Field, _ value: String) -> Fault? {
        switch field {
        case .url:
            guard value.hasPrefix("https://"), let authority = SinkURL.authority(of: value) else { return .https }
            guard !authority.isEmpty, !authority.contains("@") else { return .server }
            guard kind == .ntfy else { return nil }
            return NtfySettings.parts(of: value).map { NtfySettings.isTopic($0.topic) } == true ? nil : .topic
        case .host: return EmailSettings.isHost(value) ? nil : .host
        case .port: return Int(value).map { (1...65535).contains($0) } == true ? nil : .port
        case .tls: return MailboxSettings.TLS(rawValue: value) == nil ? .tls : nil
        case .from, .to: return EmailSettings.isAddress(value) ? nil : .address
        case .user: return nil
        case .secret:
            switch kind {
            case .webhook: return WebhookSettings.key(Array(value.utf8)) == nil ? .key : nil
            case .ntfy: return value.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? nil : .token
            case .email: return nil
            }
        }
    }
}

/// As it is sealed.
extension TypedReceiver {
    public var bytes: [UInt8] {
        var members: [(String, JSON)] = [("kind", .string(kind.rawValue))]
        for field in Self.fields(of: kind) {
            if let value = values[field] { members.append((field.rawValue, .string(value))) }
        }
        return Array(JSON.object(members).text.utf8)
    }

    /// `nil` for anything but ``bytes`` of a receiver without faults.
    public init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes),
            let kind = json["kind"]?.textValue.flatMap({ ReceiverKind(rawValue: $0) })
        else { return nil }
        var values: [Field: String] = [:]
        for field in Self.fields(of: kind) { values[field] = json[field.rawValue]?.textValue }
        self.init(kind, values)
        guard faults.isEmpty else { return nil }
    }
}
