public import Chronology
import Codecs
import Randomness

/// What proves that the first visitor can read what the program prints: 128 random bits that are in no file.
///
/// While no passphrase is set, nothing else tells the owner from anybody who reaches the port.
public struct StartCode: Sendable {
    /// Seconds; the next start of the program makes another code.
    public static let lifetime: Int64 = 3600

    public let text: String
    private let end: UnixTime

    public init(at now: UnixTime) {
        text = Base64.urlSafe.encode(RandomBytes.make(16))
        end = now + Self.lifetime
    }

    public func matches(_ text: String, at now: UnixTime) -> Bool {
        ConstantTime.areEqual(text, self.text) && (end - Self.lifetime...end).contains(now)
    }
}
