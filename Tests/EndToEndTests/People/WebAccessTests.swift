import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import Testing

extension EndToEnd {
    /// Access control of the web role: the real programs with curl as the client.
    @Suite(.enabled(if: access(WebSite.curl, X_OK) == 0)) struct WebAccess {
        @Test(.timeLimit(.minutes(2))) func tokensAllowTheirScopesUntilTheyExpire() throws {
            let site = try WebSite()
            let token = try site.token("reports", ["--scope", "read", "--expires", "1d"])
            let bearer = { (token: String) in ["-H", "Authorization: Bearer \(token)"] }
            #expect(try site.ask("/transactions/").status == 401)
            #expect(try site.ask("/transactions/", bearer(token)).status == 200)
            let refused = try site.ask("/transactions/bulk", bearer(token) + ["--json", "{}"])
            #expect(
                refused.status == 403 && refused.header("WWW-Authenticate")?.contains(#"scope="write""#) ?? false,
                "\(refused)")
            let both = try site.token("both", ["--scope", "write", "--scope", "read"])
            #expect(
                try site.ask("/transactions/", bearer(both)).status == 200,
                "scopes that are given one by one are all given")
            // A token in a URL would enter histories and logs, so it is not accepted there.
            for query in ["token=\(token)", "access_token=\(token)", "authorization=Bearer%20\(token)"] {
                #expect(try site.ask("/transactions/?\(query)").status == 401)
            }
            #expect(try site.ask("/transactions/", ["-H", "Cookie: spendwise=\(token)"]).status == 401)
            #expect(try site.ask("/transactions/", ["-u", "reports:\(token)"]).status == 401)

            try site.sql("UPDATE access_tokens SET expires_at = '2020-01-01T00:00:00Z'")
            let expired = try site.ask("/transactions/", bearer(token))
            #expect(expired.status == 401 && expired.body.contains("expired"))
            let other = try site.token("other", ["--scope", "admin"])
            #expect(try site.ask("/transactions/", bearer(other)).status == 200)
            _ = try site.station.control(["token", "revoke", "other"])
            #expect(try site.ask("/transactions/", bearer(other)).status == 401)

            try site.restart {}
            let kept =
                site.log + (try site.station.control(["audit", "--limit", "1000"]))
                + (try site.station.ledger.dump().joined())
            for secret in [token, other] { #expect(!kept.contains(secret) && !kept.contains(secret.suffix(43))) }
            #expect(try site.station.control(["audit", "--json"]).contains(#""who":"token reports""#))
        }

        @Test(.timeLimit(.minutes(2))) func loginResistsGuessingFixationAndCSRF() throws {
            let site = try WebSite()
            try site.setPassphrase()
            // The login replaces a planted cookie.
            let planted = "spendwise=sps_" + String(repeating: "A", count: 10) + "_" + String(repeating: "B", count: 43)
            let answer = try site.login(WebSite.passphrase, ["-H", "Cookie: \(planted)"])
            let cookie = try #require(answer.cookie)
            #expect(
                answer.status == 303 && cookie != planted && answer.head.contains("HttpOnly")
                    && answer.head.contains("SameSite=Strict"))
            #expect(try site.ask("/transactions/", ["-H", "Cookie: \(planted)"]).status == 401)
            #expect(try site.ask("/transactions/", ["-H", "Cookie: \(cookie)"]).status == 200)

            // Another site has the cookie but not the form's token.
            #expect(try site.ask("/app/undo", ["-H", "Cookie: \(cookie)", "-d", "group=1"]).status == 403)
            #expect(
                try site.ask("/logout", ["-H", "Cookie: \(cookie)", "-H", "Origin: https://evil.example", "-d", ""])
                    .status == 403)
            #expect(
                try site.ask("/health", ["-H", "Host: evil.example"]).status == 421,
                "a name that was bent to this address")
            #expect(
                try site.ask("/", ["-H", "Cookie: \(cookie)", "-H", "Accept: text/html"]).header(
                    "Content-Security-Policy")?.contains("unsafe") == false)

            // Twelve concurrent attempts count no less than sequential ones.
            let racing = try (0..<12).map { _ in try site.begin("/login", ["-d", "passphrase=wrong"]) }
            let statuses = try racing.map { try site.finish($0).status }
            #expect(statuses.count { $0 == 401 } == 3 && statuses.count { $0 == 429 } == 9, "\(statuses)")
            let held = try site.login()
            #expect(
                held.status == 429 && (1...30).contains(Int(held.header("Retry-After") ?? "") ?? 0),
                "the right one waits, too")
            // Existing sessions remain valid, and a restart does not reset the throttle.
            #expect(try site.ask("/transactions/", ["-H", "Cookie: \(cookie)"]).status == 200)
            try site.restart {}
            #expect(try site.login().status == 429)

            // A session ends when idle.
            try site.restart {
                try site.sql(
                    "UPDATE login_sessions SET last_seen_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-301 seconds')")
            }
            #expect(try site.ask("/transactions/", ["-H", "Cookie: \(cookie)"]).status == 401)
            #expect(!site.log.contains(cookie) && !site.log.contains("wrong"))
        }

        @Test(.timeLimit(.minutes(2))) func requestsAreLimitedByClient() throws {
            let site = try WebSite(", requests_per_minute: 4")
            let (one, other) = (try site.token("one"), try site.token("other"))
            let statuses = try (0..<5).map { _ in
                try site.ask("/transactions/", ["-H", "Authorization: Bearer \(one)"]).status
            }
            #expect(statuses == [200, 200, 200, 200, 429])
            let held = try site.ask("/transactions/", ["-H", "Authorization: Bearer \(one)"])
            #expect((1...15).contains(Int(held.header("Retry-After") ?? "") ?? 0), "\(held)")
            #expect(try site.ask("/transactions/", ["-H", "Authorization: Bearer \(other)"]).status == 200)
        }

        @Test(.timeLimit(.minutes(2))) func deviceIsPairedOnceByCode() throws {
            let site = try WebSite(", tls: self-signed")
            func offer() throws -> (Program, code: String, offer: [String: Any]) {
                let program = try site.station.start(["pair", "phone", "--json"], of: "parserctl")
                try waitUntil("the code") { program.output.contains("\n") || program.hasEnded }
                let line = try #require(program.output.split(separator: "\n").first)
                let made = try JSONOutput.object(line)
                return (program, try #require(made["code"] as? String), made)
            }
            func redeem(_ code: String) throws -> HTTP.Answer {
                try site.ask("/pair", ["-k", "--json", #"{"code":"\#(code)"}"#])
            }
            let wrong = { (code: String) in code == "00000000" ? "00000001" : "00000000" }

            let (program, code, made) = try offer()
            // The fingerprint is the same everywhere.
            let certificate = try Program(
                "/usr/bin/openssl",
                [
                    "x509", "-noout", "-fingerprint", "-sha256", "-in",
                    site.station.scratch.path + "/web-certificate.pem",
                ], in: site.station.scratch)
            try certificate.exit()
            let shown =
                certificate.output.split(separator: "=").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "none"
            let plain = shown.replacing(":", with: "").lowercased()
            #expect(
                plain.count == 64 && made["certificate_sha256"] as? String == plain
                    && (made["link"] as? String)?.contains("sha256=\(plain)") ?? false)
            #expect(
                try site.station.control(["status"]).contains(
                    "https://127.0.0.1:\(site.port), certificate SHA-256 \(shown)"))
            #expect(
                try site.station.control(["status", "--json"]).contains(#""certificate_sha256":"\#(plain)""#)
                    && site.log.contains(plain))

            #expect(try redeem(wrong(code)).status == 403)
            let answer = try redeem(code)
            #expect(answer.status == 201)
            let token = try #require(
                (try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])?["token"] as? String)
            #expect(try program.exit(within: 10) == 0)
            #expect(try redeem(code).status == 403, "once")
            #expect(try site.ask("/transactions/", ["-k", "-H", "Authorization: Bearer \(token)"]).status == 200)
            #expect(try site.station.control(["token", "list"]).contains("phone"))

            let (again, second, _) = try offer()
            for _ in 0..<5 { #expect(try redeem(wrong(second)).status == 403) }
            #expect(try redeem(second).status == 403, "five tries")
            #expect(try again.exit(within: 10) == 1 && again.output.contains("exhausted"))
            let (late, third, _) = try offer()
            try site.sql(
                "UPDATE pairing_offers SET expires_at = '2020-01-01T00:00:00Z' WHERE id = (SELECT max(id) FROM pairing_offers)"
            )
            #expect(try redeem(third).status == 403, "five minutes")
            #expect(try late.exit(within: 10) == 1)
            #expect(!site.log.contains(token) && !site.log.contains(code))
        }

        @Test(.timeLimit(.minutes(2))) func onlyTLS13AndPlainHTTPOnLoopbackOnly() throws {
            let site = try WebSite(", tls: self-signed")
            let trusted = ["--cacert", site.station.scratch.path + "/web-certificate.pem"]
            let answer = try site.ask("/health", trusted)
            #expect([200, 503].contains(answer.status), "\(answer)")
            #expect(try site.ask("/health").status == 0, "the certificate is not trusted")
            #expect(try site.ask("/health", trusted + ["--tls-max", "1.2"]).status == 0)
            // Offered both, it selects HTTP/1.1: attacks on HTTP/2 do not apply.
            #expect(try site.ask("/health", trusted + ["--http2"]).head.hasPrefix("HTTP/1.1 "))
            #expect(try site.ask("/health", ["-k", "--http2-prior-knowledge"]).head.hasPrefix("HTTP/2") == false)
            #expect(
                try HTTP.exchange(site.port, Array("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)).text
                    .contains("HTTP/1.1") == false)

            let open = try Station()
            open.settings = "web: { listen: '0.0.0.0:\(try freePort())', names: [books.example] }"
            let program = try open.start(["web"])
            #expect(try program.exit(within: 30) == 1)
            #expect(program.errors.contains("and TLS is off"))
            #expect(program.errors.contains(try Regex(#"spendwise\.yaml:\d+:\d+: "#)), "\(program.errors)")
        }

        /// On a loopback address the metrics need no token, see `bothRolesInOneProcess`.
        @Test(.timeLimit(.minutes(2))) func metricsNeedTokenOnOtherAddresses() throws {
            let site = try WebSite(", tls: self-signed, names: [localhost]", host: "0.0.0.0")
            let trusted = ["--cacert", site.station.scratch.path + "/web-certificate.pem"]
            #expect(try site.ask("/metrics", trusted).status == 401)
            #expect(try site.ask("/metrics", trusted + ["-H", "Authorization: Bearer wrong"]).status == 401)
            let token = try site.token("prometheus", ["--scope", "read"])
            #expect(try site.ask("/metrics", trusted + ["-H", "Authorization: Bearer \(token)"]).status == 200)
        }

        @Test(.timeLimit(.minutes(2))) func clientCertificateIsRequiredIfConfigured() throws {
            let site = try WebSite { station in
                let script = """
                    cd '\(station.scratch.path)' && for name in good other; do
                      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $name-ca.key -out $name-ca.pem -subj /CN=$name -days 2 &&
                      openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $name.key -out $name.csr -subj /CN=phone &&
                      openssl x509 -req -in $name.csr -CA $name-ca.pem -CAkey $name-ca.key -CAcreateserial -out $name.pem -days 2 || exit 1
                    done
                    """
                let made = try Program("/bin/sh", ["-c", script], in: station.scratch)
                guard try made.exit() == 0 else { throw Failed(description: made.errors) }
                return ", tls: { client_ca: \(station.scratch.path)/good-ca.pem }"
            }
            let folder = site.station.scratch.path
            func status(_ name: String?) throws -> Int {
                try site.ask(
                    "/login",
                    ["--cacert", folder + "/web-certificate.pem"]
                        + (name.map { ["--cert", "\(folder)/\($0).pem", "--key", "\(folder)/\($0).key"] } ?? [])
                ).status
            }
            #expect(try status(nil) == 0)
            #expect(try status("good") == 200)
            #expect(try status("other") == 0)
        }
    }
}
