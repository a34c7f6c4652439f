import Access
import ArgumentParser
import Chronology
import Codecs
import Console
import Glibc
import Settings
import Store

/// Pairs a device: shows a code that it redeems for its own token.
struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair a device by a QR code, valid for five minutes, five tries and one device.",
        discussion: """
            Shows the code and waits until it is redeemed. The device gets a token of its own, which 'parserctl token list' shows and \
            'parserctl token revoke' revokes. The QR code holds the server's address, the code, and the fingerprint of its certificate.
            """)
    @Argument(help: "The device's name.")
    var name = "device"
    @Option(help: "Its scopes; several with commas, or by repeating the option. (default: \(Scopes.daily))")
    var scope: [String] = []
    @Option(help: "Whose it is: it can do no more than the user. (default: the first owner)")
    var user: String?
    @Option(
        help:
            "The server's address as the device sees it, such as https://books.home.example:8001. Default: the address that spendwised has recorded."
    )
    var url: String?
    @OptionGroup var options: LedgerOptions

    /// Microseconds between two polls of the database, in which the daemon records the pairing.
    private static let pollInterval: UInt32 = 300_000

    func run() async throws {
        try orExit {
            let scopes = try Scopes(options: scope, otherwise: .daily)
            try AccessNames.check(name)
            let store = try options.locations.store(readOnly: false)
            let server = try store.access.webServer()
            guard let address = url ?? server?.url else {
                throw Refused(
                    "spendwised has not served yet, so its address is unknown: start it, or give the address with --url"
                )
            }
            let code = PairingCode.random()
            let now = UnixTime.now
            let user = try store.access.user(option: user)
            guard user.isEnabled else { throw Refused("the user '\(user.name)' is disabled") }
            let id = try store.access.offerPairing(code, name: name, scopes: scopes, user: user.id, at: now)
            try store.audit.append(
                AuditEvent(at: now, event: "pairing offered: \(name) (\(scopes))", who: AccessNames.operatorName))
            let link = code.link(to: address, certificate: server?.certificate)
            if options.json {
                Output.line(
                    JSON.object([
                        ("code", .string(code.text)), ("url", .string(address)),
                        ("certificate_sha256", JSON(server?.certificate)), ("link", .string(link)),
                        ("name", .string(name)), ("scopes", .string(scopes.description)),
                        ("expires_at", JSON(describing: now + PairingCode.lifetime)),
                    ]).text)
            } else {
                show(link, code, address, server?.certificate)
            }
            try wait(store, id)
        }
    }

    private func show(_ link: String, _ code: PairingCode, _ address: String, _ certificate: String?) {
        if let qr = QRCode(link) {
            if Terminal.width == 0 || qr.columns <= Terminal.width {
                Output.line(qr.text(colours: Terminal.hasColour))
            } else {
                Output.line(
                    "The terminal is too narrow for the QR code (\(qr.columns) columns). Type the code instead.\n")
            }
        }
        Output.line("Code      \(Terminal.styled(code.grouped, .bold))")
        Output.line("Server    \(address)")
        if let certificate { Output.line("SHA-256   \(CertificateFingerprint.grouped(certificate))") }
        if address.contains("://127.") || address.contains("://localhost") || address.contains("://[::1]") {
            Output.line(
                Terminal.styled(
                    "\nOnly this machine can reach that address. For a phone set 'listen', 'names' and 'tls' below 'web:' in spendwise.yaml.",
                    .yellow))
        }
        Output.line("\nWaiting for the device, for five minutes. Ctrl-C withdraws the code.")
    }

    private func wait(_ store: Store, _ id: Int64) throws {
        let interruption = Interruption()
        while true {
            let offer = try store.access.pairingOffer(id, at: .now)
            let isOver = interruption.isRaised || offer.state != .waiting
            guard isOver else {
                usleep(Self.pollInterval)
                continue
            }
            let result = offer.state == .waiting ? "withdrawn" : offer.state.rawValue
            if offer.state != .redeemed { try store.access.withdrawPairing(id) }
            if options.json {
                Output.line(JSON.object([("result", .string(result)), ("name", .string(name))]).text)
            } else {
                let sentence =
                    switch offer.state {
                    case .redeemed: "\(name) is paired."
                    case .expired: "The five minutes are over; run the command again for a new code."
                    case .exhausted:
                        "Five wrong codes were tried. If they were not yours, another device can reach the server. Run the command again for a new code."
                    case .waiting: "The code is withdrawn."
                    }
                Output.line(sentence)
            }
            if offer.state != .redeemed { throw Exit.failed }
            return
        }
    }
}
