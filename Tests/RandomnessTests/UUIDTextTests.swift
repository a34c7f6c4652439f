import Randomness
import Testing

@Suite struct UUIDTextTests {
    @Test func versions() throws {
        for _ in 0..<100 {
            #expect(
                try /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(
                    in: UUIDText.version4()) != nil)
            #expect(
                try /0199a3f1-c2d4-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(
                    in: UUIDText.version7(at: 0x0199_A3F1_C2D4)) != nil)
        }
        #expect(Set((0..<1000).map { _ in UUIDText.version7(at: 0) }).count == 1000)
    }

    @Test func formIsChecked() {
        #expect(UUIDText.isValid(UUIDText.version4()))
        #expect(UUIDText.isValid("0199A3F1-C2D4-7000-8000-00000000abcd"))
        for text in [
            "", "x", "0199a3f1c2d4700080000000000000ab", "0199a3f1-c2d4-7000-8000-00000000abcg",
            "0199a3f1-c2d4-7000-8000-00000000abcd ", "{0199a3f1-c2d4-7000-8000-00000000abcd}",
            "0199a3f1-c2d4-7000-8000-00000000abc", "0199a3f1-c2d47-000-8000-00000000abcd",
            "0199a3f1-c2d4-7000-8000-00000000abcd0", "-199a3f1-c2d4-7000-8000-00000000abcd",
        ] {
            #expect(!UUIDText.isValid(text), "\(text)")
        }
    }

    /// The first values of the reference implementation for the seed 1234567.
    @Test func splitMix64() {
        var random = SplitMix64(state: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
    }

    @Test func randomBytes() {
        #expect(RandomBytes.make(0).isEmpty && RandomBytes.make(33).count == 33)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
    }
}
