import Randomness
import Testing
import YAMLSource

@testable import IMAP

@Suite struct LoginTranscriptTests {
    private func transcript(_ lines: [String]) -> LoginTranscript {
        var transcript = LoginTranscript()
        for line in lines { Array((line + "\r\n").utf8).withUnsafeBytes { transcript.parse(line: $0) } }
        return transcript
    }

    @Test(arguments: [
        (
            ["A001 NO [AUTHENTICATIONFAILED] Authentication failed."], IMAPError.Kind.loginDenied,
            IMAPError.Retry.afterReconfiguration
        ),
        (["A001 NO [UNAVAILABLE] Temporary authentication failure."], .loginUnavailable, .later),
        (["A001 NO [ALERT] Application-specific password required"], .loginDenied, .afterReconfiguration),
        (["A001 NO [ALERT] Too many simultaneous connections. (Failure)"], .loginUnavailable, .later),
        (["A001 NO [LIMIT] Connection limit"], .loginUnavailable, .later),
        (["A001 NO [EXPIRED] Password expired"], .loginDenied, .afterReconfiguration),
        (["A001 NO LOGIN failed."], .loginDenied, .afterReconfiguration),
        (["A001 NO AUTHENTICATE failed."], .loginDenied, .afterReconfiguration),
        (["A001 NO Invalid password, please try again"], .loginDenied, .afterReconfiguration),
        (["A001 NO Too many failed login attempts, try again later"], .loginDenied, .afterReconfiguration),
        (
            ["A001 NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)", "* BYE [UNAVAILABLE] too many failures"],
            .loginDenied, .afterReconfiguration
        ),
        (["A001 NO LOGIN failed.", "* BYE Connection is closed. 13"], .loginDenied, .afterReconfiguration),
        (["A001 NO [ALERT] Account exceeded command or bandwidth limits. (Failure)"], .loginUnavailable, .later),
        (["A001 NO Server Unavailable. 15"], .loginUnavailable, .later),
        (["A001 NO Temporary authentication failure."], .loginUnavailable, .later),
        (["A001 BAD Command Error. 12"], .loginDenied, .afterReconfiguration),
        (["A001 NO Server busy, please try again later"], .loginUnavailable, .later),
        (["* BYE [UNAVAILABLE] shutting down"], .bye, .later),
        (["* BYE bye"], .bye, .later),
        (["* OK hello", "* CAPABILITY IMAP4rev1 AUTH=GSSAPI", "A001 OK done"], .noLoginMethod, .afterReconfiguration),
        (["* OK hello", "+ eyJzdGF0dXMiOiI0MDEiLCJzY2hlbWVzIjoiYmVhcmVyIn0="], .loginDenied, .afterReconfiguration),
        (["+ eyJzdGF0dXMiOiI0MDAifQ==", "A001 NO SASL authentication failed"], .loginDenied, .afterReconfiguration),
        (["+ VXNlcm5hbWU6"], .noLoginMethod, .afterReconfiguration),
        ([], .noLoginMethod, .afterReconfiguration),
    ]) func refusals(_ lines: [String], _ kind: IMAPError.Kind, _ retry: IMAPError.Retry) {
        let error = transcript(lines).loginError(peer: "mail.example:993", user: "me\r\n")
        #expect(error.kind == kind && error.retry == retry)
        #expect(error.what.contains("mail.example:993") && (kind == .bye || error.what.contains("me??")))
    }

    @Test func capabilitiesAfterLoginOnly() {
        let before = [
            "* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello", "* CAPABILITY IMAP4rev1 AUTH=PLAIN", "A001 OK done",
        ]
        #expect(
            transcript(before + ["+ ", "A002 OK [CAPABILITY IMAP4rev1 IDLE] in"]).capabilities
                == Capabilities(["IMAP4rev1", "IDLE"]))
        #expect(
            transcript(before + ["* CAPABILITY IDLE ESEARCH", "A002 OK in"]).capabilities
                == Capabilities(["IDLE", "ESEARCH"]))
        #expect(transcript(before + ["A002 OK in"]).capabilities == nil)
    }

    @Test func garbageIsIgnored() {
        var random = SplitMix64(state: 3)
        for _ in 0..<5000 {
            var transcript = LoginTranscript()
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Array("*A1+ NOBYEK[]{}\"\r\n\u{ff}".utf8).randomElement(using: &random) ?? 0
            }
            bytes.withUnsafeBytes { transcript.parse(line: $0) }
            _ = transcript.loginError(peer: "p", user: "u")
        }
    }
}
