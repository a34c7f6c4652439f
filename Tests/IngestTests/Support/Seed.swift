import Foundation
import YAMLSource

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

    /// Numbers that follow from the seed and `purpose`.
    static func numbers(for purpose: String) -> SplitMix64 {
        SplitMix64(state: purpose.utf8.reduce(value) { $0 &* 31 &+ UInt64($1) })
    }
}
