import Chronology
import DKIM
import InternetMessage
import Testing

/// Damaged and hostile ARC fields: a result for each of them, in linear time.
@Suite struct SealDamageTests {
    /// A damaged byte never leaves a valid chain of a mail that says something else.
    @Test(arguments: ["list", "forwarded"]) func changedBytes(name: String) throws {
        let mail = try SignedMail.bytes(name)
        var generator = DamageTests.Generator(state: 11)
        for _ in 0..<3000 {
            let damaged = generator.damaged(mail)
            guard case .vouched = SealTests.finding(damaged, by: ["lists.example", "home.example"]) else { continue }
            // Alterations of white space and of fields that are not signed are allowed.
            let (before, after) = (Message(parsing: mail), Message(parsing: damaged))
            #expect(
                before.text.bytes == after.text.bytes && before.from == after.from && before.subject == after.subject,
                "\(String(decoding: damaged, as: UTF8.self).debugDescription)")
        }
    }

    @Test func truncation() throws {
        let mail = try SignedMail.bytes("forwarded")
        for count in 0..<mail.count {
            guard case .vouched = SealTests.finding(Array(mail[..<count]), by: ["lists.example", "home.example"]) else {
                continue
            }
            // Only empty lines at the end may be missing.
            #expect(mail[count...].allSatisfy { $0 == 13 || $0 == 10 })
        }
    }

    static func set(_ number: Int, results: String = "dkim=pass header.d=bank.example") -> String {
        """
        ARC-Seal: i=\(number); a=rsa-sha256; d=lists.example; s=lists; cv=\(number == 1 ? "none" : "pass"); b=AAAA\r
        ARC-Message-Signature: i=\(number); a=rsa-sha256; c=relaxed/relaxed; d=lists.example; s=lists; h=from:subject; bh=AAAA; b=AAAA\r
        ARC-Authentication-Results: i=\(number); lists.example; \(results)\r

        """
    }

    static let hostile: [(String, ARCFinding)] = [
        ((1...50).map { set($0) }.joined(), .refused(.signature(.bodyAltered))),
        ((1...51).map { set($0) }.joined(), .refused(.chain(.tooManyFields))),
        // Beyond the seals that are considered.
        (
            (1...20).map { set($0, results: $0 < 12 ? "dkim=pass header.d=bank.example" : "dkim=fail") }.joined(),
            .refused(.senderUnconfirmed)
        ),
        (set(1) + set(1), .refused(.chain(.incomplete))), (set(2), .refused(.chain(.incomplete))),
        (set(1) + set(3), .refused(.chain(.incomplete))), (set(0), .refused(.chain(.malformed))),
        (set(51), .refused(.chain(.malformed))), ("ARC-Seal:\r\n", .refused(.chain(.malformed))),
        ("ARC-Seal: ;\r\n", .refused(.chain(.malformed))), ("ARC-Seal: =;=\r\n", .refused(.chain(.malformed))),
        ("ARC-Seal: i=1\r\n", .refused(.chain(.incomplete))),
        ("ARC-Message-Signature: i=1;\r\n \r\n", .refused(.chain(.incomplete))),
        ("ARC-Authentication-Results: \u{0}\r\n", .refused(.chain(.malformed))),
        ("ARC-Authentication-Results: i=1\r\n", .refused(.chain(.malformed))),
        (
            "ARC-Seal: i=1; " + (0..<4000).map { "a\($0)=b;" }.joined() + "\r\n", .refused(.chain(.incomplete))
        ),
        (
            set(1).replacing("b=AAAA", with: "b=" + String(repeating: "AAAA", count: 8000)),
            .refused(.signature(.bodyAltered))
        ),
        (
            set(1).replacing("h=from", with: "h=" + String(repeating: "from:", count: 8000) + "from"),
            .refused(.signature(.bodyAltered))
        ),
        (set(1).replacing("d=lists.example; s=lists; cv", with: "cv"), .refused(.unnamed)),
        (String(repeating: "X: y\r\n", count: 5000) + set(1), .refused(.signature(.headerDamaged))),
    ]

    @Test(arguments: hostile.indices) func hostileFields(index: Int) {
        let (header, expected) = Self.hostile[index]
        let mail = header + "From: alerts@bank.example\r\nSubject: a\r\n\r\ntext\r\n"
        let start = ContinuousClock.now
        #expect(SealTests.finding(mail) == expected)
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
