import CurlTransport
import IMAP
import Ingest
import Settings

/// The login of a mailbox with its sealed password, which is opened for each login.
struct SealedLogin: LoginSource {
    let user: String
    let mechanism: LoginMechanism
    let place: SealedPassword.Place
    let sealed: SealedPassword
    let keys: KeyFile?
    /// The password as the database has it now: it may have been sealed anew to another key.
    let latest: @Sendable () throws -> SealedPassword?

    func credential(wake: Wake) throws -> Credential {
        Credential(user: user, secret: .password(try password()), mechanism: mechanism)
    }

    /// A changed file of keys ends the wait after a refusal. A changed password begins the household anew.
    var stamp: [Int64] { keys?.file.stamp ?? [] }

    private func password() throws -> [UInt8] {
        do { return try sealed.open(for: place, with: keys) } catch let error as FleetError {
            if let anew = try? latest(), anew != sealed { return try opened(anew) }
            throw IMAPError(error)
        }
    }

    private func opened(_ sealed: SealedPassword) throws -> [UInt8] {
        do { return try sealed.open(for: place, with: keys) } catch let error as FleetError { throw IMAPError(error) }
    }
}

/// A mailbox without a password.
struct MissingLogin: LoginSource {
    let place: SealedPassword.Place

    func credential(wake: Wake) throws -> Credential {
        throw IMAPError(
            FleetError(
                "\(place.description): no password: run 'spendwise-fleet password \(place.household) \(place.mailbox)'"
            ))
    }
}

extension IMAPError {
    /// A fault that a person must correct.
    fileprivate init(_ error: FleetError) {
        self.init(.loginDenied, retry: .afterReconfiguration, what: error.description)
    }
}
