import Access
import Testing

@Suite struct SealedSecretTests {
    private static let context = ["personal", "imap.example.com", "993", "implicit", "asha@example.com", ""]
    private static let secret = Array("quiet-otter-29-lamps".utf8)

    @Test func theHolderOfTheKeyReadsIt() throws {
        let key = UnsealingKey()
        let sealed = try #require(key.sealingKey.seal(Self.secret, for: Self.context))
        #expect(key.open(sealed, for: Self.context) == Self.secret)
        // Through the texts of the ledger and of the file.
        let stored = try #require(SealedSecret(sealed.text))
        let other = try #require(UnsealingKey(key.text))
        #expect(other.open(stored, for: Self.context) == Self.secret)
        #expect(SealingKey(key.sealingKey.text) == other.sealingKey)
    }

    /// Each seal has a key of its own, so that no nonce is used twice.
    @Test func theSameSecretIsSealedDifferently() throws {
        let key = UnsealingKey()
        let texts = (0..<20).compactMap { _ in key.sealingKey.seal(Self.secret, for: Self.context)?.text }
        #expect(texts.count == 20 && Set(texts.map { $0.prefix(40) }).count == 20)
    }

    /// A sealed password cannot be sent to another server, user or authority.
    @Test(arguments: context.indices) func anotherContextOpensNothing(position: Int) throws {
        let key = UnsealingKey()
        let sealed = try #require(key.sealingKey.seal(Self.secret, for: Self.context))
        var context = Self.context
        context[position] += "x"
        #expect(key.open(sealed, for: context) == nil)
    }

    @Test func textsOfAContextAreNotJoined() throws {
        let key = UnsealingKey()
        let sealed = try #require(key.sealingKey.seal(Self.secret, for: ["ab", "c"]))
        #expect(key.open(sealed, for: ["a", "bc"]) == nil && key.open(sealed, for: ["ab", "c", ""]) == nil)
    }

    @Test func aLongSecretIsRead() throws {
        let (key, secret) = (UnsealingKey(), [UInt8](repeating: 97, count: 3000))
        let sealed = try #require(key.sealingKey.seal(secret, for: Self.context, in: .grant))
        let stored = try #require(SealedSecret(sealed.text))
        #expect(key.open(stored, for: Self.context) == secret && sealed.text.utf8.count < 12000)
    }

    @Test func anotherKeyOpensNothing() throws {
        let sealed = try #require(UnsealingKey().sealingKey.seal(Self.secret, for: Self.context))
        #expect(UnsealingKey().open(sealed, for: Self.context) == nil)
    }

    @Test func aChangedTextIsRefused() throws {
        let key = UnsealingKey()
        let sealed = try #require(key.sealingKey.seal(Self.secret, for: Self.context))
        for position in [0, 10, 40, 100] {
            var text = Array(sealed.text.utf8)
            text[position] = text[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let changed = SealedSecret(String(decoding: text, as: UTF8.self))
            #expect(changed.flatMap { key.open($0, for: Self.context) } == nil, "\(position)")
        }
        #expect(SealedSecret("") == nil && SealedSecret(String(sealed.text.dropLast(4))) == nil)
    }

    @Test func theCiphertextDoesNotShowTheLength() throws {
        let key = UnsealingKey().sealingKey
        for capacity in SealedSecret.Capacity.allCases {
            let limit = capacity.rawValue
            let texts = [0, 1, limit].map {
                key.seal([UInt8](repeating: 97, count: $0), for: [], in: capacity)?.text.utf8.count
            }
            #expect(texts[0] != nil && Set(texts).count == 1)
            #expect(key.seal([UInt8](repeating: 97, count: limit + 1), for: [], in: capacity) == nil)
        }
        #expect(key.seal(Self.secret, for: []) != key.seal(Self.secret, for: []), "each is random")
    }
}
