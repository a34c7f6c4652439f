import Chronology
import IMAP
import Settings
import Store

/// The pauses between the attempts at a mailbox after faults. Jitter keeps many mailboxes from reconnecting together.
struct MailboxBackoff {
    enum Class: Equatable {
        /// The connection broke: reconnect at once, then as `later`.
        case now
        /// With growing pauses.
        case later
        /// The server refuses logins for now. As `later`, but from a minute on: it may count failed logins.
        case afterLogin
        /// A person must change something. A change is noticed within seconds; without one the next attempt follows
        /// after ``afterRefusal``, since the server may have been mended.
        case afterChange
    }

    /// Seconds. Longer pauses than a quarter of an hour gain nothing.
    static let first: Int64 = 2
    static let longest: Int64 = 900
    /// Seconds. A connection that breaks again and again still brings mail each time.
    static let longestForConnection: Int64 = 60
    static let firstForLogin: Int64 = 60
    /// Seconds. An attempt at the local database burdens no server, and a mended disk should be noticed soon.
    static let longestLocal: Int64 = 60
    /// Seconds: four or five attempts an hour with one password, so that no account is locked.
    static let afterRefusal = 900.0
    /// A fault after a connection of this length is a new one.
    static let stableLifetime = Duration.seconds(60)

    /// Consecutive failures.
    private(set) var failures = 0
    /// A new token was fetched after a refusal, and no login has succeeded with it.
    var hasNewToken = false

    /// The seconds to wait after one more failure.
    ///
    /// - Parameter isLocal: the fault is this machine's and not a server's.
    mutating func pause(
        after fault: Class, isLocal: Bool = false, jitter: Double = Double.random(in: 0.75...1)
    ) -> Double {
        failures += 1
        func growing(_ first: Int64, upTo longest: Int64) -> Double {
            Double(ExponentialBackoff(first: first, longest: longest).pause(doublings: failures - 1)) * jitter
        }
        if isLocal { return growing(Self.first, upTo: Self.longestLocal) }
        // Jitter applies to capped pauses as well: mailboxes that lost one server would otherwise reconnect together
        // forever.
        switch fault {
        case .now where failures == 1: return 0
        case .now: return growing(Self.first, upTo: Self.longestForConnection)
        case .later: return growing(Self.first, upTo: Self.longest)
        case .afterLogin: return growing(Self.firstForLogin, upTo: Self.longest)
        case .afterChange: return Self.afterRefusal * jitter
        }
    }

    /// Resets the pauses: every folder has been read.
    ///
    /// - Parameter wasStable: the connection lived for ``stableLifetime``. After a shorter one the next pause is not
    ///   zero, so that a server which ends every connection after the pass is not asked without a pause.
    mutating func completedPass(wasStable: Bool) {
        hasNewToken = false
        failures = wasStable ? 0 : min(failures, 1)
    }
}

extension MailboxBackoff.Class {
    init(_ error: any Error) {
        switch error {
        case let error as IMAPError where error.kind == .loginUnavailable: self = .afterLogin
        case let error as IMAPError:
            switch error.retry {
            case .now: self = .now
            case .later, .stopped: self = .later
            case .afterReconfiguration: self = .afterChange
            }
        case let error as StoreError:
            switch error.kind {
            // Another process releases the database, or space is freed.
            case .busy, .diskFull, .notFound, .conflict, .invalid, .other: self = .later
            case .cannotOpen, .notADatabase, .newerSchema, .olderSchema, .readOnly, .corrupt: self = .afterChange
            }
        case is SecretError: self = .afterChange
        default: self = .later
        }
    }
}

extension Error {
    /// The server refused the credential, so the same secret must not be tried again soon.
    var refusesLogin: Bool { (self as? IMAPError)?.kind == .loginDenied }
}
