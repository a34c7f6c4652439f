import IMAP

/// Server lines during the login, collected by the header callback. Used by the connection's thread only.
final class TranscriptBox {
    var transcript = LoginTranscript()
}

/// CURLOPT_HEADERFUNCTION: receives every line of the server from the greeting to the end of the login.
func receiveLoginLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let length = size * count
    if let bytes, let context {
        Unmanaged<TranscriptBox>.fromOpaque(context).takeUnretainedValue().transcript.parse(
            line: UnsafeRawBufferPointer(start: bytes, count: length))
    }
    return length
}
