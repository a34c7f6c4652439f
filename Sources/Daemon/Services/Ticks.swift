/// A timer: the first tick comes immediately, then one every `seconds`.
struct Ticks: AsyncSequence {
    let seconds: Double

    struct AsyncIterator: AsyncIteratorProtocol {
        let seconds: Double
        var isFirst = true

        mutating func next() async -> Void? {
            if isFirst {
                isFirst = false
            } else {
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return nil }
            }
            return ()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(seconds: seconds) }
}
