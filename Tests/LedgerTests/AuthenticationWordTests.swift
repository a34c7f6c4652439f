import Ledger
import Testing

/// The word by which programs read a phrase about authentication.
@Suite struct AuthenticationWordTests {
    @Test(arguments: [
        ("pass: genuine by dmarc", AuthenticationWord.pass, true), ("pass (dmarc)", .pass, true), ("pass", .pass, true),
        ("trusted: as the mailbox is configured", .trusted, true), ("unverified", .unverified, false),
        ("unverified: the signing key is not published", .unverified, false), ("phone: an SMS", .phone, false),
        ("vouched for by forwarder lists.example (ARC)", .vouched, true), ("fail: forged", .fail, false),
        ("passed: no word of ours", nil, false), ("Pass: dmarc", nil, false),
        ("", nil, false),
    ])
    func readsTheWord(phrase: String, word: AuthenticationWord?, isProven: Bool) {
        #expect(AuthenticationWord(of: phrase) == word)
        #expect((AuthenticationWord(of: phrase)?.isProven ?? false) == isProven)
    }

    @Test(arguments: AuthenticationWord.allCases) func readsItsOwnPhrase(word: AuthenticationWord) {
        #expect(AuthenticationWord(of: word.phrase("a reason")) == word)
    }
}
