import ArgumentParser
import Codecs
import Ingest
import InternetMessage
import Ledger
import Profiles

/// The options that `test` and `explain` share.
struct Reading: ParsableArguments {
    @Option(
        name: .customLong("authserv-id"),
        help: "Judge authenticity as the daemon would, by this authserv-id (Gmail: mx.google.com).")
    var authservID: String?
    @Flag(help: "One JSON object a line.")
    var json = false

    var policy: AuthenticationPolicy { authservID.map { .pinned(authservID: $0) } ?? .unverified }

    /// Decides every mail at the paths as the daemon does.
    func decide(
        _ paths: [String], _ profiles: ProfileSet, _ categories: CategoryRules,
        each: (_ name: String, Message, Claim, Decision) throws -> Void
    ) throws {
        for path in paths {
            try MailArchive.read(path) { name, bytes in
                let message = Message(parsing: bytes)
                let claim = profiles.claim(message)
                let decision = claim.decide(trusting: policy, receivedAt: nil).categorized(by: categories)
                try each(name, message, claim, decision)
            }
        }
    }
}
