/// Token bucket for each client in a table of bounded size. Times are seconds of a monotonic clock.
public struct RateLimit: Sendable {
    private struct Bucket {
        var level: Double
        var at: Double
    }

    /// Burst size, and the number of requests added each minute.
    private let perMinute: Double
    private let maximumClients: Int
    private var buckets: [String: Bucket] = [:]

    /// - Parameter perMinute: 0 means no limit.
    public init(perMinute: Int, maximumClients: Int = 4096) {
        self.perMinute = Double(perMinute)
        self.maximumClients = maximumClients
    }

    public var count: Int { buckets.count }

    /// Removes one request from a client's bucket.
    ///
    /// - Returns: `nil` on success, otherwise the seconds until a request is available.
    public mutating func consume(_ client: String, at now: Double) -> Int? {
        guard perMinute > 0 else { return nil }
        let perSecond = perMinute / 60
        if buckets[client] == nil, buckets.count >= maximumClients { makeRoom(at: now, perSecond) }
        var bucket = buckets[client] ?? Bucket(level: perMinute, at: now)
        bucket.level = min(perMinute, bucket.level + max(0, now - bucket.at) * perSecond)
        bucket.at = max(bucket.at, now)
        defer { buckets[client] = bucket }
        guard bucket.level < 1 else {
            bucket.level -= 1
            return nil
        }
        return max(1, Int(((1 - bucket.level) / perSecond).rounded(.up)))
    }

    /// Removes full buckets, which equal absent ones; if that is not enough, the fullest half, so that limited clients
    /// stay limited.
    private mutating func makeRoom(at now: Double, _ perSecond: Double) {
        buckets = buckets.filter { $0.value.level + (now - $0.value.at) * perSecond < perMinute }
        guard buckets.count >= maximumClients else { return }
        let kept = buckets.sorted { $0.value.level < $1.value.level }.prefix(maximumClients / 2)
        buckets = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
