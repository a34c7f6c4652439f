import Console
import Glibc
import IMAP
import Ingest
import OAuth
import Settings

/// The question for a person's consent in a browser: authorization code with PKCE, on a loopback redirect or by pasting
/// (RFC 8252, RFC 7636).
struct OAuthConsent {
    /// True to read the address to which the browser was redirected from standard input.
    let pastes: Bool

    /// Seconds to wait for the consent.
    static let timeout = 600

    /// Asks for the consent and returns the refresh token.
    func token(for oauth: OAuthSettings) throws -> Token {
        let redirect = pastes ? nil : try LoopbackRedirect(port: UInt16(oauth.redirectPort ?? 0))
        let port = (redirect?.port).map { Int($0) } ?? oauth.redirectPort ?? AuthorizationServer.unusedPort
        let request = AuthorizationRequest(
            server: oauth.server, client: try oauth.client(),
            redirectURI: oauth.server.redirectURI(port: port), loginHint: oauth.loginHint)
        let code: Token
        if let redirect {
            code = try wait(redirect, request)
        } else {
            code = try pasted(request)
        }
        let answer = try oauth.answer(to: request.redemption(of: code), wake: Wake())
        guard let token = answer.refreshToken else { throw OAuthError(.noRefreshToken, server: oauth.server.name) }
        return token
    }

    private func wait(_ redirect: LoopbackRedirect, _ request: AuthorizationRequest) throws -> Token {
        Output.line("Open this address in a browser on this machine and allow the access:\n\n\(request.url)\n")
        Browser.open(request.url)
        var result: Result<Token, OAuthError>?
        let isAnswered = redirect.serve(seconds: Self.timeout) { target in
            // A browser also requests its icon.
            guard target.contains("?") else { return .notFound }
            do throws(OAuthError) {
                result = .success(try request.code(in: target))
                return .end(title: "Thank you", text: "The rest happens in the terminal. This page can be closed.")
            } catch {
                if error.kind == .wrongState {
                    StandardError.write(
                        "An answer to another login was ignored; still waiting.\n")
                    return .goOn(
                        title: "An old answer",
                        text: "It belongs to another login. Open the address that the terminal shows now.")
                }
                result = .failure(error)
                return .end(title: "No access", text: "The terminal shows the reason. This page can be closed.")
            }
        }
        guard isAnswered, let result else {
            throw LoopbackRedirect.Failure(
                description:
                    "no answer came from the browser within \(Self.timeout / 60) minutes\nRun the command again; without a browser on this machine use --paste."
            )
        }
        return try result.get()
    }

    private func pasted(_ request: AuthorizationRequest) throws -> Token {
        Output.line(
            """
            Open this address in any browser and allow the access:

            \(request.url)

            The browser then shows that it cannot reach \(request.redirectURI). This is expected: copy the address of that page from the
            browser's address line, paste it here, and press Enter.
            """)
        guard let line = readLine() else { throw LoopbackRedirect.Failure(description: "nothing was pasted") }
        return try request.code(in: line)
    }
}

/// The browser of the desktop, if there is one.
enum Browser {
    static func open(_ url: String) {
        guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil, geteuid() != 0 else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        // Without it, the printed address is enough.
        _ = posix_spawnp(&process, "xdg-open", &actions, nil, &argv, environ)
    }
}
