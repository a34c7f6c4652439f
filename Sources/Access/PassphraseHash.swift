import Codecs
import Crypto
import CryptoExtras
import Randomness

/// scrypt (RFC 7914) of a passphrase with its parameters, as one line of text: `$scrypt$ln=15,r=8,p=3$SALT$KEY`.
///
/// Hashing takes about 0.25 s and 32 MiB, so it must not run on an event loop.
public struct PassphraseHash: Hashable, Sendable {
    /// Cost parameters: p passes of 2^log2N rounds over blocks of 128·r bytes.
    public struct Cost: Hashable, Sendable {
        public var log2N: Int
        public var r: Int
        public var p: Int

        /// OWASP's recommended minimum for 32 MiB, chosen for machines with little memory.
        public static let standard = Cost(log2N: 15, r: 8, p: 3)

        public init(log2N: Int, r: Int, p: Int) {
            self.log2N = log2N
            self.r = r
            self.p = p
        }

        /// Limits the memory that a stored line can request to 256 MiB.
        var isSane: Bool {
            (4...20).contains(log2N) && (1...32).contains(r) && (1...16).contains(p) && (128 * r) << log2N <= 256 << 20
        }
    }

    private let cost: Cost
    private let salt: [UInt8]
    private let key: [UInt8]

    private static let saltLength = 16
    private static let keyLength = 32

    /// The hash of no passphrase, for a check that takes as long as any other and always fails.
    public static let ofNone = PassphraseHash(
        cost: .standard, salt: [UInt8](repeating: 0, count: saltLength), key: [UInt8](repeating: 0, count: keyLength))

    private init(cost: Cost, salt: [UInt8], key: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// - Returns: `nil` if the library fails, which for a valid cost happens only without memory.
    public init?(of passphrase: String, cost: Cost = .standard) {
        let salt = RandomBytes.make(Self.saltLength)
        guard cost.isSane, let key = Self.derive(passphrase, salt, cost) else { return nil }
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// - Returns: `nil` if the text is malformed.
    public init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let salt = Base64.urlSafe.decode(parts[3].utf8),
            salt.count == Self.saltLength,
            let key = Base64.urlSafe.decode(parts[4].utf8), key.count == Self.keyLength
        else { return nil }
        var values: [Int] = []
        for (pair, name) in zip(parts[2].split(separator: ",", omittingEmptySubsequences: false), ["ln=", "r=", "p="]) {
            guard pair.hasPrefix(name), let value = Int(pair.dropFirst(name.count)) else { return nil }
            values.append(value)
        }
        guard values.count == 3 else { return nil }
        cost = Cost(log2N: values[0], r: values[1], p: values[2])
        guard cost.isSane else { return nil }
        self.salt = salt
        self.key = key
    }

    public var text: String {
        "$scrypt$ln=\(cost.log2N),r=\(cost.r),p=\(cost.p)$\(Base64.urlSafe.encode(salt))$\(Base64.urlSafe.encode(key))"
    }

    public func matches(_ passphrase: String) -> Bool {
        guard let other = Self.derive(passphrase, salt, cost) else { return false }
        return ConstantTime.areEqual(key, other)
    }

    private static func derive(_ passphrase: String, _ salt: [UInt8], _ cost: Cost) -> [UInt8]? {
        let key = try? KDF.Scrypt.deriveKey(
            from: Array(passphrase.utf8), salt: salt, outputByteCount: keyLength, rounds: 1 << cost.log2N,
            blockSize: cost.r, parallelism: cost.p)
        return key?.withUnsafeBytes(Array.init)
    }
}
