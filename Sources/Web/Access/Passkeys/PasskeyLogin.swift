import Access
import Codecs
import HTTPTypes
import Hummingbird
import Store
import Synchronization

/// The login with a passkey: what the browser is asked for, and the check of its answer.
struct PasskeyLogin {
    let services: WebServices

    /// What every challenge of a login is bound to.
    private static let purpose = "login"

    private struct Options: ResponseEncodable {
        /// In base64url.
        var challenge: String
        var rpId: String
    }

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        // The passkeys are not listed: whoever asks is unknown, and the authenticator finds those of the site itself.
        router.get("/login/passkey") { request, _ -> EditedResponse<Options> in
            let access = services.access
            guard let party = access.relyingParty(of: request) else {
                throw Refusal(
                    status: .conflict, title: "No passkeys",
                    detail: "Browsers have no passkeys at this address: \(PasskeyPlace.sentence)")
            }
            let challenge = access.challenge(for: Self.purpose)
            return EditedResponse(
                response: Options(challenge: Base64.urlSafe.encode(challenge), rpId: party.id))
        }
    }

    /// Begins the session if the form holds the answer of a known passkey.
    ///
    /// Guesses are hopeless, so attempts do not count for the pauses after wrong passphrases: a stranger who causes
    /// those does not keep the owner's passkey out.
    ///
    /// - Returns: the user whose passkey it is, or the reason of a refusal.
    func begin(
        _ credential: Credential, _ form: FormFields, _ request: Request
    ) async throws -> Result<UserRow, PasskeyError> {
        let access = services.access
        guard let party = access.relyingParty(of: request) else { return .failure(.otherOrigin) }
        guard let assertion = PasskeyAssertion(form) else { return .failure(.malformed) }
        let stored = try await services.read { ledger in
            try ledger.access.passkey(credential: assertion.id).flatMap { passkey in
                try ledger.access.user(passkey.user).map { (passkey, $0) }
            }
        }
        guard let (passkey, user) = stored, passkey.relyingParty == party.id,
            let key = Base64.urlSafe.decode(passkey.publicKey.utf8).flatMap(PasskeyKey.init)
        else { return .failure(.unknownPasskey) }
        let count: UInt32
        do throws(PasskeyError) {
            count = try assertion.verify(with: key, for: party) { access.accept($0, for: Self.purpose) }
        } catch { return .failure(error) }
        let session = LoginSession(
            id: credential.id, digest: credential.digest, user: user.id, started: access.clock.wall())
        let longest = access.policy.sessions.longest
        let hasBegun = try await services.ledger {
            try $0.access.begin(session, with: passkey, signCount: count, longest: longest)
        }
        return hasBegun ? .success(user) : .failure(.counter)
    }
}

/// Where browsers have passkeys, in words.
enum PasskeyPlace {
    static var sentence: String { PageText.of("passkey.place") }
}

extension AccessGuard {
    /// The site as the browser of this request sees it; `nil` where browsers have no passkeys.
    func relyingParty(of request: Request) -> RelyingParty? {
        let authority = request.head.authority ?? ""
        return RelyingParty(host: hostName(authority: authority), authority: authority, isTLS: policy.isTLS)
    }

    func challenge(for purpose: String) -> [UInt8] {
        let now = clock.wall()
        return challenges.withLock { $0.make(for: purpose, at: now) }
    }

    func accept(_ challenge: [UInt8], for purpose: String) -> Bool {
        let now = clock.wall()
        return challenges.withLock { $0.accept(challenge, for: purpose, at: now) }
    }
}

extension WebServices {
    /// True if a passkey can log in at the address of this request.
    func offersPasskeys(_ request: Request) async throws -> Bool {
        guard let party = access.relyingParty(of: request) else { return false }
        return try await ledger { try $0.access.passkeys() }.contains { $0.relyingParty == party.id }
    }
}

extension FormFields {
    /// The bytes of a value in base64url.
    func bytes(_ name: String) -> [UInt8]? { self[name].flatMap { Base64.urlSafe.decode($0.utf8) } }
}

extension PasskeyAssertion {
    fileprivate init?(_ form: FormFields) {
        guard let id = form["passkey"], let client = form.bytes("client_data"),
            let data = form.bytes("authenticator_data"), let signature = form.bytes("signature")
        else { return nil }
        self.init(id: id, clientData: client, authenticatorData: data, signature: signature)
    }
}
