public import Chronology
import Codecs
internal import GRDB
public import OAuth

/// A mailbox that a person wants to add on the page. The page asks, the mail reader tests, the person accepts, and the
/// mail reader takes the mailbox into use.
public struct MailboxSetup: Sendable {
    public enum State: String, Sendable {
        case asked
        /// Waits for the person.
        case tested
        case accepted
        case used
        case refused
    }

    public enum TLS: String, Sendable, CaseIterable { case implicit, starttls }

    /// The kind of reason of a refusal.
    public enum Fault: String, Sendable {
        case login, certificate, server, folder
        /// The secret was sealed to another key or for another server.
        case sealed
        /// The authorization server refused the code of the consent.
        case consent
        /// It does not know the client, or its secret is wrong.
        case client
        case scope
        /// The redirect address is not registered.
        case redirect
        /// It granted access without a refresh token.
        case refreshToken = "refresh-token"
        /// It cannot be reached, or does not answer as a token endpoint.
        case tokenServer = "token-server"
        /// The mailbox whose consent is renewed was removed or changed.
        case gone
        /// The name is in use.
        case name
        case other
    }

    /// The server and the login, to which the sealed secret is bound.
    public struct Server: Sendable, Hashable {
        public var name: String
        public var host: String
        public var port: Int
        public var tls: TLS
        public var user: String
        /// PEM of a private authority, which replaces those of the system.
        public var authority: String?
        /// The client of a login by OAuth; `nil` for a password.
        public var registration: ClientRegistration?

        public init(
            name: String, host: String, port: Int, tls: TLS, user: String, authority: String?,
            registration: ClientRegistration? = nil
        ) {
            (self.name, self.host, self.port, self.tls) = (name, host, port, tls)
            (self.user, self.authority, self.registration) = (user, authority, registration)
        }

        /// The context of the sealed secret.
        public var context: [String] {
            [name, host, "\(port)", tls.rawValue, user, authority ?? ""] + (registration?.context ?? [])
        }
    }

    public internal(set) var id: Int64 = 0
    public let server: Server
    /// The e-mail address, from which the server was proposed.
    public let address: String
    public let folder: String
    /// Number of days that the first pass reads back.
    public let sinceDays: Int
    public let sealedTo: String
    /// The password, or an ``AuthorizationGrant``; `nil` once it is not needed any more.
    public let sealed: String?
    /// The sealed secret of the OAuth client; `nil` for a public client. A refusal keeps it, so that only the consent
    /// is given again.
    public let clientSecret: String?
    /// True for a new consent to a mailbox that was added before.
    public let renews: Bool
    public internal(set) var asked = UnixTime.epoch
    public internal(set) var state = State.asked
    public internal(set) var finding: MailboxFinding?
    public internal(set) var fault: Fault?
    /// The fault in words, without secrets.
    public internal(set) var reason: String?
    /// The choice at the acceptance; `nil` without a name whose results count.
    public internal(set) var authservID: String?
    /// DKIM signatures are verified here.
    public internal(set) var verifies = false

    /// Seconds for which a setup is kept that is not accepted, and one that has ended.
    public static let lifetime: Int64 = 3600
    /// Limit of setups within ``lifetime``, so that nobody tries passwords in this way.
    public static let maximum = 10

    public init(
        _ server: Server, address: String, folder: String, sinceDays: Int, sealedTo: String, sealed: String,
        clientSecret: String? = nil
    ) {
        (self.server, self.address, self.folder, self.sinceDays) = (server, address, folder, sinceDays)
        (self.sealedTo, self.sealed, self.clientSecret, renews) = (sealedTo, sealed, clientSecret, false)
    }

    /// A new consent to a mailbox of the page.
    public init(renewing mailbox: AddedMailbox, sealedTo: String, sealed: String) {
        (server, address, folder) = (mailbox.server, "", mailbox.folders.first ?? "INBOX")
        sinceDays = mailbox.sinceDays
        (self.sealedTo, self.sealed, clientSecret, renews) = (sealedTo, sealed, nil, true)
    }

    init(_ row: Row) {
        server = Server(
            name: row["name"], host: row["host"], port: row["port"], tls: TLS(rawValue: row["tls"]) ?? .implicit,
            user: row["user"], authority: row["authority"],
            registration: (row["oauth"] as String?).flatMap { ClientRegistration(JSON.parsed($0)) })
        clientSecret = row["client_secret"]
        renews = row["renews"]
        address = row["address"]
        folder = row["folder"]
        sinceDays = row["since_days"]
        sealedTo = row["sealed_to"]
        sealed = row["sealed"]
        id = row["id"]
        asked = row["asked_at"]
        // A CHECK constraint restricts the column to the enum's values.
        state = State(rawValue: row["state"]) ?? .refused
        finding = (row["finding"] as String?).flatMap { MailboxFinding($0) }
        fault = (row["fault"] as String?).map { Fault(rawValue: $0) ?? .other }
        reason = row["reason"]
        authservID = row["authserv_id"]
        verifies = row["verifies"]
    }
}

/// What the test of a mailbox found.
public struct MailboxFinding: Sendable, Hashable {
    /// A bank that wrote.
    public struct Bank: Sendable, Hashable {
        public var name: String
        public var mails: Int
        /// The day of the newest mail.
        public var newest: CalendarDate?

        public init(name: String, mails: Int, newest: CalendarDate?) {
            (self.name, self.mails, self.newest) = (name, mails, newest)
        }
    }

    /// An authserv-id with the number of mails whose sender it confirms.
    public struct Proposal: Sendable, Hashable {
        public var authservID: String
        public var confirmed: Int
        public var of: Int

        public init(authservID: String, confirmed: Int, of: Int) {
            (self.authservID, self.confirmed, self.of) = (authservID, confirmed, of)
        }
    }

    /// The folder that was examined, as the server names it.
    public var folder: String
    public var folders: [String]
    /// Number of mails in the folder.
    public var messages: Int
    public var bankMails: Int
    public var banks: [Bank]
    public var proposals: [Proposal]
    /// The authserv-id to use unless the person knows better; `nil` if signatures have to be verified.
    public var proposed: String?

    public init(
        folder: String, folders: [String], messages: Int, bankMails: Int, banks: [Bank], proposals: [Proposal],
        proposed: String?
    ) {
        (self.folder, self.folders, self.messages, self.bankMails) = (folder, folders, messages, bankMails)
        (self.banks, self.proposals, self.proposed) = (banks, proposals, proposed)
    }

    /// Limit of folders and banks that are kept: a hostile server may have any number.
    static let maximumItems = 500

    /// `nil` for a text that only another program can have written.
    init?(_ text: String) {
        guard let json = try? JSON(parsing: Array(text.utf8)), let folder = json["folder"]?.textValue else {
            return nil
        }
        self.folder = folder
        folders = json["folders"]?.elements?.compactMap(\.textValue) ?? []
        messages = json["messages"]?.intValue ?? 0
        bankMails = json["bank_mails"]?.intValue ?? 0
        banks = (json["banks"]?.elements ?? []).compactMap { item in
            item["name"]?.textValue.map {
                Bank(
                    name: $0, mails: item["mails"]?.intValue ?? 0,
                    newest: item["newest"]?.textValue.flatMap { CalendarDate(iso: $0) })
            }
        }
        proposals = (json["proposals"]?.elements ?? []).compactMap { item in
            item["authserv_id"]?.textValue.map {
                Proposal(authservID: $0, confirmed: item["confirmed"]?.intValue ?? 0, of: item["of"]?.intValue ?? 0)
            }
        }
        proposed = json["proposed"]?.textValue
    }

    var json: JSON {
        .object([
            ("folder", .string(folder)), ("folders", .array(folders.prefix(Self.maximumItems).map(JSON.string))),
            ("messages", .integer(Int64(messages))), ("bank_mails", .integer(Int64(bankMails))),
            (
                "banks",
                .array(
                    banks.prefix(Self.maximumItems).map {
                        .object([
                            ("name", .string($0.name)), ("mails", .integer(Int64($0.mails))),
                            ("newest", JSON(describing: $0.newest)),
                        ])
                    })
            ),
            (
                "proposals",
                .array(
                    proposals.map {
                        .object([
                            ("authserv_id", .string($0.authservID)), ("confirmed", .integer(Int64($0.confirmed))),
                            ("of", .integer(Int64($0.of))),
                        ])
                    })
            ), ("proposed", JSON(proposed)),
        ])
    }
}

extension JSON {
    fileprivate var intValue: Int? { integerValue.map { Int(clamping: $0) } }
}
