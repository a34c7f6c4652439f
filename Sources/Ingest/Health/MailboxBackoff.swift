import IMAP
import Settings
import Store

/// When a mailbox is tried again after a fault. Pure but for the jitter, which keeps many mailboxes from knocking together.
struct Retry {
    enum Class: Equatable {
        /// The line broke: a new one at once, and then as `later`.
        case now
        /// With growing pauses.
        case later
        /// The server would not log in for now. As `later`, but from a minute on: it may count what it refuses.
        case afterLogin
        /// A person must change something first. It is looked for every few seconds; without it a try comes ``afterRefusal`` later, since
        /// servers are mended, too.
        case afterChange
    }

    /// Seconds. After a quarter of an hour more patience gains nothing.
    static let first = 2.0
    static let longest = 900.0
    /// A line that breaks again and again still brings the mail each time it stands.
    static let longestForLine = 60.0
    static let firstForLogin = 60.0
    /// Nobody is asked anything by a look at the database, and who has mended the disk waits for the effect.
    static let longestHere = 60.0
    /// Four or five tries an hour with one password, so that no account is locked.
    static let afterRefusal = 900.0
    /// A connection that lived as long was a good one, and what comes after it is a new fault.
    static let goodLife = Duration.seconds(60)

    /// In a row.
    private(set) var failures = 0
    /// Another token was taken after a refusal, and has not proved itself yet.
    var hasTakenAnother = false

    /// Seconds to wait after one more failure.
    /// - Parameter isHere: it is this machine's, and no server's.
    mutating func pause(
        after fault: Class, isHere: Bool = false, jitter: Double = Double.random(in: 0.75...1)
    ) -> Double {
        failures += 1
        let growth = Double(1 << min(failures - 1, 12))
        if isHere { return min(Self.longestHere, Self.first * growth) * jitter }
        // What is capped is spread as well: mailboxes that lost one server would otherwise knock together for ever.
        switch fault {
        case .now where failures == 1: return 0
        case .now: return min(Self.longestForLine, Self.first * growth) * jitter
        case .later: return min(Self.longest, Self.first * growth) * jitter
        case .afterLogin: return min(Self.longest, Self.firstForLogin * growth) * jitter
        case .afterChange: return Self.afterRefusal * jitter
        }
    }

    mutating func reset() { failures = 0 }
}

extension Retry.Class {
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
            // Another process lets go of it, or space is made: soon.
            case .busy, .diskFull, .notFound, .conflict, .invalid, .other: self = .later
            case .cannotOpen, .notADatabase, .newerSchema, .olderSchema, .readOnly, .corrupt: self = .afterChange
            }
        case is SecretError: self = .afterChange
        default: self = .later
        }
    }
}

extension Error {
    /// The server said no to who logs in, so the same secret must not be tried again soon.
    var refusesLogin: Bool { (self as? IMAPError)?.kind == .loginDenied }
}
