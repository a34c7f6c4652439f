import Foundation

/// Where tests begin that cannot try everything each time: another place in each run, and the same one again with `SPENDWISE_SEED`.
enum Seed {
    static let value: UInt64 = {
        let environment = ProcessInfo.processInfo.environment
        // A run's number makes consecutive runs try one place after the other.
        let given = environment["SPENDWISE_SEED"] ?? environment["GITHUB_RUN_NUMBER"] ?? ""
        let value = UInt64(given) ?? UInt64(Date.now.timeIntervalSince1970)
        print("fault tests: SPENDWISE_SEED=\(value)")
        return value
    }()

    /// Numbers that follow from the seed and `purpose` (S. Vigna's splitmix64).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        init(_ purpose: String) { state = purpose.utf8.reduce(Seed.value) { $0 &* 31 &+ UInt64($1) } }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
