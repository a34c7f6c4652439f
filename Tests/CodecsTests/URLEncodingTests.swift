import Codecs
import Testing

@Suite struct URLEncodingTests {
    @Test func escapesAllButUnreservedCharacters() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("/?a=ü b") == "%2F%3Fa%3D%C3%BC%20b")
        #expect(PercentEncoding.encode("/a b", allowing: "/") == "/a%20b")
    }

    @Test(arguments: ["", "a/b", "ü ☕%", "+&=", "\u{0}\u{7F}"]) func percentEncodingRoundTrips(text: String) {
        #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
    }

    @Test(arguments: ["%", "%2", "%zz", "%ff", "a%-1"]) func refusesDamagedEscapes(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test(arguments: ["", "a=b", "ü=☕", "a b+c=%&=", "%zz%4", "\u{0}=\u{7F}"]) func formsRoundTrip(text: String) {
        let pairs = FormEncoding.decode(FormEncoding.encode([(text, text)]))
        #expect(pairs.map(\.name) == [text] && pairs.map(\.value) == [text])
    }

    @Test func damagedFormsAreKept() {
        let pairs = FormEncoding.decode("a+b=%zz%4&=x&c&%ff=%2b")
        #expect(pairs.map(\.name) == ["a b", "", "c", "\u{FFFD}"])
        #expect(pairs.map(\.value) == ["%zz%4", "x", "", "+"])
    }

    @Test func pairsAboveTheLimitAreIgnored() {
        #expect(FormEncoding.decode(Array("a=1&b=2&c=3".utf8), limit: 2).map(\.name) == ["a", "b"])
    }
}
