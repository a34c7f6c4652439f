import Codecs
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]) func testVectors(plain: String, coded: String) {
        #expect(Base64.standard.encode(Array(plain.utf8)) == coded)
        #expect(Base64.standard.decode(Array(coded.utf8)) == Array(plain.utf8))
        let unpadded = coded.filter { $0 != "=" }
        #expect(Base64.urlSafe.encode(Array(plain.utf8)) == unpadded)
        #expect(Base64.urlSafe.decode(unpadded.utf8) == Array(plain.utf8))
    }

    @Test(arguments: ["Z", "Zg=", "Zh==", "Z*==", "Zg===", "====", "Zm9v\n", "Zm9v=", "-_8="])
    func standardRejects(text: String) { #expect(Base64.standard.decode(Array(text.utf8)) == nil) }

    @Test(arguments: ["Z", "Zg==", "Zh", "+/8", "Zm9v="])
    func urlSafeRejects(text: String) { #expect(Base64.urlSafe.decode(Array(text.utf8)) == nil) }

    @Test(arguments: [Base64.standard, .urlSafe, .folderName]) func roundTrips(base64: Base64) {
        let bytes = (0...255).map { UInt8($0) }
        for count in 0...256 {
            #expect(base64.decode(Array(base64.encode(bytes[..<count]).utf8)) == Array(bytes[..<count]))
        }
    }

    @Test func alphabets() {
        #expect(Base64.urlSafe.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64.standard.encode([0xFB, 0xFF]) == "+/8=")
        #expect(Base64.folderName.encode([0xFB, 0xFF]) == "+,8")
    }
}
