import Glibc
import Synchronization

/// Defers Ctrl-C and SIGTERM until the current commit is finished. A second signal ends the program at once.
struct Interruption {
    private static let count = Atomic(0)
    private let begun = ContinuousClock.now

    init() {
        _ = Self.count.load(ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                if Interruption.count.add(1, ordering: .relaxed).newValue > 1 {
                    signal(number, SIG_DFL)
                    raise(number)
                }
            }
        }
    }

    var isRaised: Bool { Self.count.load(ordering: .relaxed) > 0 }

    /// Seconds since the value was made.
    var seconds: Double { (ContinuousClock.now - begun) / .seconds(1) }
}
