import ArgumentParser
import Chronology
import Codecs
import Console
import DKIM
import Dispatch
import Ingest
import InternetMessage
import Ledger
import Profiles
import Settings
import Store
import Synchronization
import YAMLSource

/// The options that `test` and `explain` share.
struct Reading: ParsableArguments {
    @OptionGroup var authentication: AuthenticationOptions
    @Flag(help: "One JSON object a line.")
    var json = false

    /// Decides mails as the daemon does. A name is the id of a recorded mail, or else a path.
    func decide(
        _ names: [String], by rules: ReadingRules,
        each: (_ name: String, Message, Claim, Decision, AuthenticationPolicy) throws -> Void
    ) throws {
        let policies = try authentication.policies(of: rules.locations)
        func decide(_ name: String, _ bytes: [UInt8], _ policy: AuthenticationPolicy) throws {
            let (message, claim, decision) = try rules.decide(bytes, policy)
            try each(name, message, claim, decision, policy)
        }
        for name in names {
            if let mail = try rules.recordedMail(name) {
                let policy =
                    authentication.policy ?? rules.policy(ofMailbox: mail.row.mailbox)
                    ?? policies.policy(for: mail.bytes)
                try decide(name, mail.bytes, policy)
            } else {
                try MailArchive.read(name, unpack: PackedMail.open) { name, bytes in
                    try decide(name, bytes, policies.policy(for: bytes))
                }
            }
        }
    }

    /// Decides the texts of SMS in files as the daemon decides SMS from a phone. `-` is standard input.
    func decide(
        smsFrom sender: String, in files: [String], by rules: ReadingRules,
        each: (_ name: String, Message, Claim, Decision, AuthenticationPolicy) throws -> Void
    ) throws {
        guard let header = SMSHeader(sender) else {
            throw Refused(
                "'\(sender)' is not the header of a bank's SMS: write it as the phone shows it, such as VM-HDFCBK")
        }
        let books = try rules.locations.settingsOfProfiles()?.booksSMS ?? false
        for file in files {
            let text = String(decoding: try YAMLFile(path: file == "-" ? "/dev/stdin" : file).bytes, as: UTF8.self)
            let sms = ShortMessage(from: header, text: text)
            let policy = AuthenticationPolicy.phone(books: books)
            let (message, claim, decision) = try rules.decide(sms.message(now: .now), policy)
            try each(file, message, claim, decision, policy)
        }
    }
}

/// The profiles and categories by which mails are decided, and the ledger if there is one.
final class ReadingRules {
    let locations: Locations
    let profiles: ProfileSet
    private let store: Store?

    init(_ locations: Locations, _ extent: Locations.ProfileExtent) throws {
        self.locations = locations
        store = try? locations.store()
        profiles = try locations.profilesInForce(extent, store)
    }

    /// Loaded with the first mail of a bank, because loading takes longer than reading most mails.
    private var booking: BookingRules?

    private lazy var mailboxPolicies = store.map { (try? locations.policies($0)) ?? [:] } ?? [:]

    func decide(_ bytes: [UInt8], _ policy: AuthenticationPolicy) throws -> (Message, Claim, Decision) {
        let message = Message(parsing: bytes)
        let claim = profiles.claim(message)
        try load(claim)
        var decision = claim.decide(trusting: policy, receivedAt: nil, signatures: SignatureVerifier.system)
        if decision.draft != nil {
            if let booking { decision = booking.applied(to: decision) }
            decision = try store?.dated(decision) ?? decision
        }
        return (message, claim, decision)
    }

    /// Reads the templates of a mail's bank, and the rules for its draft at the same time.
    private func load(_ claim: Claim) throws {
        guard claim.sender.bank != nil, booking == nil else { return try claim.load() }
        // Each is called once, while this thread waits.
        nonisolated(unsafe) let loads = [claim.load, { [self] in booking = try locations.rules(store) }]
        let faults = Mutex<[Int: any Error]>([:])
        DispatchQueue.concurrentPerform(iterations: loads.count) { index in
            do { try loads[index]() } catch { faults.withLock { $0[index] = error } }
        }
        if let fault = faults.withLock({ $0.min { $0.key < $1.key } }) { throw fault.value }
    }

    /// The policy under which the daemon decides mails of a mailbox.
    func policy(ofMailbox name: String) -> AuthenticationPolicy? { mailboxPolicies[name] }

    /// The mail of the ledger that a name means, with its bytes; `nil` if the name is a path.
    func recordedMail(_ name: String) throws -> RecordedMailSource? {
        guard let id = MailName(name) else { return nil }
        guard let store else {
            // A named ledger that cannot be opened says why.
            if locations.database != nil { _ = try locations.store() }
            throw Refused("there is no file \(name), and no ledger to look for such a mail in")
        }
        return try RecordedMailSource(id, name, in: store)
    }
}
