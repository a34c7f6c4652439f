import Glibc
import LoopbackFixture
import MailServerFixture

/// A private Courier on the loopback interface, with its own authority and one user.
///
/// Courier's `imaplogin` asks `authdaemond` at a fixed path for the password; a script takes its place. TLS
/// and IMAP are Courier's. It ends and its folder is removed with the fixture, and with the process however that ends.
/// Not thread-safe.
public final class CourierFixture {
    public static var isInstalled: Bool { CourierMaildir.isInstalled }

    /// TLS from the first byte. The certificate names `localhost` and 127.0.0.1.
    public let port: UInt16
    public let mail: CourierMaildir
    /// The certificate of the authority.
    public var caFile: String { mail.directory + "/tls/ca.pem" }
    private let server: WatchedServer

    /// Starts a server with the user `user`.
    public init(password: String) throws {
        mail = try CourierMaildir()
        port = try freePort()
        let directory = mail.directory
        try makeCertificates(in: directory)
        try write(
            contents(of: directory + "/tls/server.key") + contents(of: directory + "/tls/server.pem"),
            to: directory + "/tls/both.pem")
        try write(Array(Self.login.utf8), to: directory + "/login")
        chmod(directory + "/login", 0o700)
        let settings = ["TLS_CERTFILE": directory + "/tls/both.pem", "TLS_VERIFYPEER": "NONE", "PASSWORD": password]
        server = WatchedServer(
            [
                mail.programs.path("/usr/sbin/couriertcpd"), "-address=127.0.0.1", "-maxprocs=40", "-maxperip=40",
                "-nodnslookup", "-noidentlookup", "\(port)", mail.programs.path("/usr/bin/couriertls"), "-server",
                "-tcpd", directory + "/login", mail.programs.path("/usr/bin/imapd"), mail.path,
            ], in: directory, environment: mail.environment.merging(settings) { $1 }
        ) { [port] in listens(port) }
        try server.start()
    }

    deinit { server.end(keepingFolder: false) }

    /// The login of one connection: the commands before it, then Courier's imapd in the place of the shell.
    private static let login = #"""
        #!/bin/sh
        end=$(printf '\r')
        printf '* OK [CAPABILITY %s] ready\r\n' "$IMAP_CAPABILITY"
        while IFS= read -r line; do
            line=${line%"$end"}
            tag=${line%% *}
            case ${line#* } in
                "LOGIN user $PASSWORD" | "LOGIN user \"$PASSWORD\"" | "LOGIN \"user\" \"$PASSWORD\"")
                    export AUTHENTICATED=user IMAPLOGINTAG="$tag"
                    unset PASSWORD
                    exec "$@" ;;
                CAPABILITY) printf '* CAPABILITY %s\r\n%s OK done\r\n' "$IMAP_CAPABILITY" "$tag" ;;
                LOGIN*) printf '%s NO Login failed.\r\n' "$tag" ;;
                LOGOUT) printf '* BYE\r\n%s OK done\r\n' "$tag"; exit ;;
                *) printf '%s BAD not before the login\r\n' "$tag" ;;
            esac
        done
        """# + "\n"
}
