/// The password of a mailbox or of statements, or the secret of a receiver of notifications, as the database holds it:
/// sealed to a key of the workers.
///
/// The box contains the household, the mailbox, receiver or statement and its host beside the password. So a change of
/// the rows cannot make a worker send a password to another server or use it for another household.
public struct SealedPassword: Hashable, Sendable {
    /// What a password is for.
    public struct Place: Hashable, Sendable {
        enum Kind: String, CaseIterable, Sendable { case mailbox, receiver, statement }

        let kind: Kind
        let household: String
        /// Of the mailbox, the receiver or the statements.
        let name: String
        /// Empty for statements: their password is sent nowhere.
        let host: String

        public init(household: String, mailbox: String, host: String) {
            self.init(.mailbox, household: household, name: mailbox, host: host)
        }

        public init(household: String, receiver: String, host: String) {
            self.init(.receiver, household: household, name: receiver, host: host)
        }

        /// - Parameter statement: ``StatementPassword/name``.
        public init(household: String, statement: String) {
            self.init(.statement, household: household, name: statement, host: "")
        }

        init(_ kind: Kind, household: String, name: String, host: String) {
            (self.kind, self.household, self.name, self.host) = (kind, household, name, host)
        }

        var description: String { "household '\(household)', \(kind.rawValue) '\(name)'" }
        /// What is sealed, in messages.
        var what: String { kind == .receiver ? "secret" : "password" }
        /// The command that stores another one.
        var command: String { "spendwise-fleet \(kind == .mailbox ? "password" : "secret") \(household) \(name)" }
    }

    /// The longest password in bytes. Shorter ones are padded, so that the box does not show their length.
    static let longest = 512

    let key: BoxPublicKey
    let box: [UInt8]

    init(key: BoxPublicKey, box: [UInt8]) { (self.key, self.box) = (key, box) }

    public init(_ password: [UInt8], for place: Place, to key: BoxPublicKey) throws(FleetError) {
        guard !password.isEmpty, password.count <= Self.longest, !password.contains(0) else {
            throw FleetError("a \(place.what) has 1 to \(Self.longest) bytes, none of them NUL")
        }
        let padding = [UInt8](repeating: 0, count: Self.longest - password.count)
        guard let box = key.seal(Self.prefix(place) + password + padding) else {
            throw FleetError("the public key \(key.text) cannot be used: 'spendwise-fleet keygen' makes another")
        }
        self.init(key: key, box: box)
    }

    /// - Throws: ``FleetError`` that names household and mailbox: no key of the file opens it, or it was sealed for
    ///   another place.
    func open(for place: Place, with keys: KeyFile?) throws -> [UInt8] {
        guard let keys else {
            throw FleetError(
                "\(place.description): the \(place.what) is sealed, and this worker has no key: set 'key_file' in its configuration"
            )
        }
        guard let key = try keys.read().first(where: { $0.publicKey == self.key }) else {
            throw FleetError(
                "\(place.description): the \(place.what) is sealed to the key \(self.key.text), whose private key is not in \(keys.description): add it there, or run '\(place.command)'"
            )
        }
        let prefix = Self.prefix(place)
        guard let message = key.open(box), message.count == prefix.count + Self.longest, message.starts(with: prefix)
        else {
            throw FleetError(
                "\(place.description): the sealed \(place.what) was changed, or is for another household, \(place.kind.rawValue) or host: run '\(place.command)'"
            )
        }
        return Array(message.dropFirst(prefix.count).prefix { $0 != 0 })
    }

    /// Each text with its length in front, so that no two places have the same bytes.
    private static func prefix(_ place: Place) -> [UInt8] {
        var texts = [place.household, place.name, place.host]
        // Another length, so that no receiver gets the password of a mailbox or of statements of its name.
        if place.kind != .mailbox { texts.append(place.kind.rawValue) }
        return texts.flatMap { text in
            let count = UInt32(truncatingIfNeeded: text.utf8.count)
            return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + Array(text.utf8)
        }
    }
}
