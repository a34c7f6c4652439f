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
}
