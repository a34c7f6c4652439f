import Chronology
import DKIM
import InternetMessage
import Testing

/// Damaged and hostile headers: a result for each of them, in linear time.
@Suite struct DamageTests {
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }

        /// A mail of which one to three bytes are changed, removed or inserted.
        mutating func damaged(_ mail: [UInt8]) -> [UInt8] {
            var damaged = mail
            for _ in 0..<Int.random(in: 1...3, using: &self) {
                let index = Int.random(in: 0..<damaged.count, using: &self)
                switch Int.random(in: 0..<3, using: &self) {
                case 0: damaged[index] = UInt8.random(in: 0...255, using: &self)
                case 1: damaged.remove(at: index)
                default:
                    damaged.insert([0, 9, 10, 13, 32, 58, 59, 61, 255].randomElement(using: &self) ?? 0, at: index)
                }
            }
            return damaged
        }
    }

    static func check(_ mail: [UInt8]) -> [SignatureReason] {
        SignedMail.verifier.results(
            of: Message(parsing: mail), receivedAt: UnixTime(seconds: SignedMail.arrival), extent: .all
        ).map(\.reason)
    }

    /// A damaged byte of what is signed never leaves a valid signature that says something else.
    @Test(arguments: ["rsa", "ed25519"]) func changedBytes(name: String) throws {
        let mail = try SignedMail.bytes(name)
        var generator = Generator(state: 7)
        for _ in 0..<3000 {
            let damaged = generator.damaged(mail)
            let reasons = Self.check(damaged)
            guard reasons.contains(.valid) else { continue }
            // Alterations of white space and of fields that are not signed are allowed.
            let (before, after) = (Message(parsing: mail), Message(parsing: damaged))
            #expect(
                before.text.bytes == after.text.bytes && before.from == after.from,
                "\(String(decoding: damaged, as: UTF8.self).debugDescription)")
            #expect(before.subject == after.subject)
        }
    }

    /// The library would leave such a field out and verify the rest, while the field is read.
    @Test(arguments: ["Subject\t: x", "X-Other\t: x", "X;Other: x"])
    func aFieldThatTheLibraryDoesNotRead(field: String) throws {
        let reasons = Self.check(Array((field + "\r\n").utf8) + (try SignedMail.bytes("rsa")))
        #expect(reasons == [.headerDamaged])
    }

    @Test func truncation() throws {
        let mail = try SignedMail.bytes("rsa")
        for count in 0..<mail.count where Self.check(Array(mail[..<count])) == [.valid] {
            // Only empty lines at the end may be missing.
            #expect(mail[count...].allSatisfy { $0 == 13 || $0 == 10 })
        }
    }

    @Test(arguments: [
        String(
            repeating: "DKIM-Signature: v=1; a=rsa-sha256; d=bank.example; s=big; h=from; bh=AAAA; b=AAAA\r\n",
            count: 900),
        String(repeating: "X: y\r\n", count: 30_000),
        "DKIM-Signature: " + String(repeating: "a=b;", count: 40_000) + "\r\n",
        "DKIM-Signature: v=1; a=rsa-sha256; d=bank.example; s=big; bh=AAAA; b=AAAA; h="
            + String(repeating: "from:", count: 40_000) + "from\r\n"
            + String(repeating: "From: a@b.example\r\n", count: 900),
        "DKIM-Signature: v=1; l=99999999999999999999999999999; t=99999999999999999999999; x=-1; h=from\r\n",
        "DKIM-Signature:\r\n", "DKIM-Signature: \u{0}\r\n", "DKIM-Signature: =;=;=;;;;\r\n",
        "DKIM-Signature: v=1;\r\n \r\n",
        "dkim-signature : v=1; d=" + String(repeating: "a.", count: 5000) + "example; s="
            + String(repeating: "b", count: 5000) + "\r\n",
    ]) func hostileHeaders(header: String) throws {
        let start = ContinuousClock.now
        let reasons = Self.check(Array((try header + SignedMail.text()).utf8))
        #expect(!reasons.isEmpty)
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
