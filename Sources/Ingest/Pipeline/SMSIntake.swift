public import Chronology
public import InternetMessage
public import Profiles
public import Settings
public import Store

/// Records SMS that a phone passes on: the same decision as about a mail, under ``AuthenticationPolicy/phone(books:)``.
public struct SMSIntake: Sendable {
    private let store: Store
    private let profiles: @Sendable () -> ProfileSet
    private let rules: RulesInForce
    private let decisions: DecisionSettings

    /// - Parameter profiles: returns the profiles in force.
    public init(store: Store, profiles: @escaping @Sendable () -> ProfileSet, decisions: DecisionSettings) {
        self.store = store
        self.profiles = profiles
        self.decisions = decisions
        rules = RulesInForce(store: store)
    }

    /// Decides and records an SMS in one commit. The same SMS again (``ShortMessage/digest(now:)``) changes nothing.
    ///
    /// Of an SMS whose sender is no bank's, only the header is kept, not the text.
    public func record(_ sms: ShortMessage, now: UnixTime = .now) throws -> RecordedMail {
        let intake = Intake(
            profiles: profiles(), rules: try rules.current(),
            authentication: .phone(books: decisions.booksSMS), decisions: decisions)
        let entry = intake.entry(
            for: sms.message(now: now), at: Self.place(of: sms, now: now), receivedAt: sms.receivedAt ?? now)
        guard let recorded = try store.recording.record([entry]).first else {
            throw StoreError(kind: .other, path: store.path, message: "recorded no SMS")
        }
        return recorded
    }

    /// The first 64 bits of the digest take the place of UIDVALIDITY and UID.
    private static func place(of sms: ShortMessage, now: UnixTime) -> MailLocation {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
        let digest = sms.digest(now: now)
        return MailLocation(
            mailbox: MailLocation.phone, folder: sms.sender.name, uidValidity: number(digest[0..<4]),
            uid: number(digest[4..<8]))
    }
}
