import Glibc
import Synchronization

/// Ctrl-C and SIGTERM, asked for instead of ending the program: the present commit is finished. A second Ctrl-C ends it at once.
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

    /// Since the beginning.
    var seconds: Double { (ContinuousClock.now - begun) / .seconds(1) }
}
