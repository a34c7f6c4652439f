public import Chronology
import Codecs
import Crypto
import Randomness

/// Challenges for authenticators, each valid once, for ``lifetime`` and for one purpose.
///
/// A challenge is random, carries its end and is authenticated with a key of this process. Open challenges are not
/// stored, so they cannot exhaust memory; used ones are, until they end.
public struct PasskeyChallenges: Sendable {
    /// Seconds. Browsers give a person up to five minutes.
    public static let lifetime: Int64 = 300

    private let key = SymmetricKey(size: .bits256)
    /// The used challenges and their ends.
    private var used: [[UInt8]: Int64] = [:]

    private static let randomLength = 16
    private static let endLength = 8
    private static var headLength: Int { randomLength + endLength }

    public init() {}

    /// - Parameter purpose: the ceremony and what it is bound to, such as a session.
    public func make(for purpose: String, at now: UnixTime) -> [UInt8] {
        let end = UInt64(bitPattern: (now + Self.lifetime).seconds)
        let head =
            RandomBytes.make(Self.randomLength)
            + (0..<Self.endLength).map { UInt8(truncatingIfNeeded: end >> (8 * UInt64(Self.endLength - 1 - $0))) }
        return head + authentication(of: head, for: purpose)
    }

    /// Returns true for a challenge of this purpose that has neither ended nor been accepted before.
    public mutating func accept(_ challenge: [UInt8], for purpose: String, at now: UnixTime) -> Bool {
        let (head, code) = (Array(challenge.prefix(Self.headLength)), Array(challenge.dropFirst(Self.headLength)))
        guard head.count == Self.headLength,
            ConstantTime.areEqual(code, authentication(of: head, for: purpose))
        else { return false }
        let end = Int64(bitPattern: head.suffix(Self.endLength).reduce(0) { $0 << 8 | UInt64($1) })
        // Remembered for longer than they are valid, for a clock that is set back a little.
        used = used.filter { $0.value + Self.lifetime > now.seconds }
        // A clock that was set back does not make a challenge valid for longer.
        guard end > now.seconds, end <= now.seconds + Self.lifetime, used[challenge] == nil else { return false }
        used[challenge] = end
        return true
    }

    private func authentication(of head: [UInt8], for purpose: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: head + Array(purpose.utf8), using: key))
    }
}
