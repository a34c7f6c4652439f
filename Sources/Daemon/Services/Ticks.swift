/// A timer: one tick every `seconds`.
struct Ticks: AsyncSequence {
    let seconds: Double
    /// True if the first tick comes immediately, otherwise after `seconds`.
    var beginsAtOnce = true

    struct AsyncIterator: AsyncIteratorProtocol {
        let seconds: Double
        var isImmediate: Bool

        mutating func next() async -> Void? {
            if isImmediate {
                isImmediate = false
            } else {
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return nil }
            }
            return ()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(seconds: seconds, isImmediate: beginsAtOnce) }
}
