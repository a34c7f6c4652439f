import Codecs
import Testing

@Suite struct JSONTests {
    static let same: [(String, String)] = [
        (#" { "a" : [ 1 , -2, true , null , "x" ] } "#, #"{"a":[1,-2,true,null,"x"]}"#),
        ("250.10", "250.10"), ("5.0", "5"), ("-70.000", "-70"), ("5.0e1", "5.0e1"),
        ("12345678901234567890.0", "12345678901234567890.0"), ("1e3", "1e3"),
        ("12345678901234567890", "12345678901234567890"), ("-0", "0"), ("0.30000000000000004", "0.30000000000000004"),
        (#""\u20b9\n\"\\\/\ud83d\ude00é""#, "\"₹\\n\\\"\\\\/😀é\""), (#""\u0000\u001f""#, #""\u0000\u001f""#),
        ("[]", "[]"), ("{}", "{}"),
    ]

    @Test(arguments: same) func readsAndWrites(source: String, written: String) throws {
        let value = try JSON(parsing: Array(source.utf8))
        #expect(value.text == written)
        #expect(try JSON(parsing: value.utf8).text == written)
    }

    static let wrong: [(String, Int, Int)] = [
        ("", 1, 1), ("{", 1, 2), ("{\"a\":1,}", 1, 8), ("{\n \"a\": tru\n}", 2, 7), ("[1 2]", 1, 4), ("01", 1, 1),
        ("1.", 1, 3), ("-", 1, 2), ("1e", 1, 3), ("\"a", 1, 3),
        ("\"\\x\"", 1, 2), ("\"\\ud800\"", 1, 2), ("\"\\ud800\\u0041\"", 1, 2), ("\"\\udc00\"", 1, 2),
        ("\"a\nb\"", 1, 3), ("{\"a\":1,\"a\":2}", 1, 8), ("nul", 1, 1), ("1 2", 1, 3), ("{a:1}", 1, 2),
        ("[1,]", 1, 4), ("\"\\u12g4\"", 1, 2), ("NaN", 1, 1), ("\u{FEFF}1", 1, 1),
    ]

    @Test(arguments: wrong) func refusesWithAPlace(source: String, line: Int, column: Int) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Array(source.utf8)) }
        #expect(error?.line == line && error?.column == column, "\(source): \(error.map { "\($0)" } ?? "")")
    }

    @Test func refusesInvalidText() { #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) } }

    @Test func depthIsBounded() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSON(parsing: nested(JSON.maximumDepth))
        #expect(throws: JSONError.self) { try JSON(parsing: nested(JSON.maximumDepth + 1)) }
        #expect(throws: JSONError.self) { try JSON(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) }
    }

    /// Every way to cut a text short is refused, and none of them crashes.
    @Test func truncated() throws {
        let whole = Array(#"{"a":[1,2.5e-3,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":false}}"#.utf8)
        _ = try JSON(parsing: whole)
        for length in 0..<whole.count { #expect(throws: JSONError.self) { try JSON(parsing: Array(whole[..<length])) } }
    }
}
