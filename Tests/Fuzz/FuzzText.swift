import InternetMessage

/// Reads the input as a message, as HTML and as plain text. The result must be canonical.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let message = Message(parsing: bytes)
    checkCanonical(message.text.bytes)
    checkCanonical(Array(message.subject.utf8))
    precondition(!message.subject.utf8.contains(10))
    precondition(message.contentDigest.count == 32)
    precondition(message.contentDigest == Message(parsing: bytes).contentDigest)
    for policy in [
        AuthenticationPolicy.pinned(authservID: "mx.home.example"), .pinned(authservID: "mx.google.com"),
        .pinned(authservID: "outlook.com"),
    ] {
        let verdict = message.authentication(policy)
        if verdict.isAccepted { precondition(message.from.count == 1) }
    }
    _ = message.readParts
    let html = CanonicalText(html: bytes)
    checkCanonical(html.bytes)
    let plain = CanonicalText(plain: bytes)
    checkCanonical(plain.bytes)
    // Canonical text is unchanged.
    if plain.defects.isEmpty { precondition(CanonicalText(plain: plain.bytes).bytes == plain.bytes) }
    return 0
}

/// Checks the rules of `CanonicalText`: UTF-8, single spaces and line feeds, none at either end, no control characters.
func checkCanonical(_ bytes: [UInt8]) {
    precondition(String(validating: bytes, as: UTF8.self) != nil)
    var previous: UInt8 = 32
    for byte in bytes {
        precondition(byte >= 32 && byte != 127 || byte == 10)
        precondition(byte != 32 && byte != 10 || previous != 32 && previous != 10)
        previous = byte
    }
    precondition(bytes.isEmpty || previous != 32 && previous != 10)
}
