import Foundation
import Randomness
import YAMLSource

/// The seed of tests that cannot try everything in each run: new in each run, and repeatable with `SPENDWISE_SEED`.
enum Seed {
    static let value: UInt64 = {
        let environment = ProcessInfo.processInfo.environment
        // The number of a run makes consecutive runs try one place after the other.
        let given = environment["SPENDWISE_SEED"] ?? environment["GITHUB_RUN_NUMBER"] ?? ""
        let value = UInt64(given) ?? UInt64(Date.now.timeIntervalSince1970)
        print("fault tests: SPENDWISE_SEED=\(value)")
        return value
    }()

    /// Numbers that follow from the seed and `purpose`.
    static func numbers(for purpose: String) -> SplitMix64 {
        SplitMix64(state: purpose.utf8.reduce(value) { $0 &* 31 &+ UInt64($1) })
    }
}
