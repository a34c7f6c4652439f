import Testing

@testable import DKIM

/// RFC 6376 sections 3.4.3 to 3.4.5.
@Suite struct CanonicalBodyTests {
    @Test(
        arguments: [
            ("", 2, 0), ("\r\n", 2, 0), ("\r\n\r\n", 2, 0), ("a", 3, 3), ("a\r\n", 3, 3), ("a\r\n\r\n\r\n", 3, 3),
            (" C \r\nD \t E\r\n\r\n\r\n", 12, 9), ("a\r\n\r\nb\r\n", 8, 8), ("a\r\n \r\n", 6, 3), (" ", 3, 0),
            ("a\nb\r\n", 5, 5), ("a\rb\r\n", 5, 5), ("\r\na\r\n", 5, 5),
        ] as [(String, UInt64, UInt64)])
    func lengths(body: String, simple: UInt64, relaxed: UInt64) {
        Array(body.utf8).withUnsafeBufferPointer {
            #expect(CanonicalBody.simple.count($0) == simple)
            #expect(CanonicalBody.relaxed.count($0) == relaxed)
            #expect(CanonicalBody.simple.bytes($0).count == Int(simple))
            #expect(CanonicalBody.relaxed.bytes($0).count == Int(relaxed))
        }
    }

    @Test(arguments: [
        ("", "", true), ("a\n", "a\r\n", false), ("a\r\nb\n\n", "a\r\nb\r\n\r\n", false), ("\r\n", "\r\n", true),
    ])
    func lineEnds(bytes: String, expected: String, areTransported: Bool) {
        Array(bytes.utf8).withUnsafeBufferPointer {
            #expect(LineEndings.areTransported($0) == areTransported)
            #expect(LineEndings.transported($0) == Array(expected.utf8))
        }
    }

    /// The examples of RFC 6376 section 3.4.5.
    @Test func examples() {
        Array(" C \r\nD \t E\r\n\r\n\r\n".utf8).withUnsafeBufferPointer {
            #expect(CanonicalBody.relaxed.bytes($0) == Array(" C\r\nD E\r\n".utf8))
            #expect(CanonicalBody.simple.bytes($0) == Array(" C \r\nD \t E\r\n".utf8))
        }
        for (field, relaxed) in [("A: X", "a:X"), ("B : Y\t\r\n\tZ  ", "b:Y Z"), ("C:", "c:"), ("D: \r\n x", "d:x")] {
            let bytes = Array(field.utf8)
            var result: [UInt8] = []
            CanonicalHeader.relaxed.append(bytes, colon: bytes.firstIndex(of: 58) ?? 0, to: &result)
            #expect(String(decoding: result, as: UTF8.self) == relaxed)
            result = []
            CanonicalHeader.simple.append(bytes, colon: bytes.firstIndex(of: 58) ?? 0, to: &result)
            #expect(result == bytes)
        }
    }
}
