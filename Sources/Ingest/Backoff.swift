/// How long to wait before the next try: doubled each time, with jitter so that many mailboxes do not knock together.
struct Backoff {
    /// Seconds. A lost line is usually back at once; after a quarter of an hour more patience gains nothing.
    static let first = 2.0
    static let longest = 900.0
    /// After a refused password: four tries an hour at most, so that no account is locked.
    static let afterRefusal = 900.0

    private(set) var failures = 0

    /// Seconds to wait now. The first two tries after a connection that had worked come at once or soon.
    mutating func next() -> Double {
        failures += 1
        let base = min(Self.longest, Self.first * Double(1 << min(failures - 1, 12)))
        return base * Double.random(in: 0.75...1.25)
    }

    mutating func reset() { failures = 0 }
}
