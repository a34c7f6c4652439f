import CurlTransport
import DurableFiles
import IMAP
import Ingest
import Settings

/// A sealed secret with what opens it. It is opened for each use.
struct SealedSource: Sendable {
    let place: SealedPassword.Place
    let sealed: SealedPassword
    let keys: KeyFile?
    /// As the database has it now: it may have been sealed anew to another key. A changed secret begins the household
    /// anew.
    let latest: @Sendable () throws -> SealedPassword?

    /// - Throws: ``FleetError`` for a fault that a person must correct.
    func open() throws -> [UInt8] {
        do { return try sealed.open(for: place, with: keys) } catch let error as FleetError {
            guard let anew = try? latest(), anew != sealed else { throw error }
            return try anew.open(for: place, with: keys)
        }
    }
}

/// The login of a mailbox with its sealed password.
struct SealedLogin: LoginSource {
    let user: String
    let mechanism: LoginMechanism
    let source: SealedSource

    func credential(wake: Wake) throws -> Credential {
        do {
            return Credential(user: user, secret: .password(try source.open()), mechanism: mechanism)
        } catch let error as FleetError { throw IMAPError(error) }
    }

    /// A changed file of keys ends the wait after a refusal.
    var stamp: [FileStamp?] { [source.keys?.file.stamp] }
}

/// A mailbox without a password.
struct MissingLogin: LoginSource {
    let place: SealedPassword.Place

    func credential(wake: Wake) throws -> Credential { throw IMAPError(FleetError(missing: place)) }
}

extension FleetError {
    /// Nothing is sealed for a place.
    init(missing place: SealedPassword.Place) {
        self.init("\(place.description): no \(place.what): run '\(place.command)'")
    }
}

extension IMAPError {
    /// A fault that a person must correct.
    fileprivate init(_ error: FleetError) {
        self.init(.loginDenied, retry: .afterReconfiguration, what: error.description)
    }
}
