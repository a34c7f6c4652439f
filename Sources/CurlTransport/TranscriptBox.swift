import IMAP

/// The server's lines during the login, as the header callback collects them. Used by the connection's thread only.
final class TranscriptBox {
    var transcript = LoginTranscript()
}

/// CURLOPT_HEADERFUNCTION: libcurl hands every line of the server's to it, from the greeting to the end of the login.
func takeLoginLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let length = size * count
    if let bytes, let context {
        Unmanaged<TranscriptBox>.fromOpaque(context).takeUnretainedValue().transcript.take(
            line: UnsafeRawBufferPointer(start: bytes, count: length))
    }
    return length
}
