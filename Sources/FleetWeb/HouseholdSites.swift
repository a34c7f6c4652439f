import Access
import Chronology
import Fleet
import Logging
import NIOPosix
import Synchronization
import Web

/// Finds the household of each request, brings its copy up to date and names its routes.
final class HouseholdSites: WebSites {
    /// Requests that wait to be found. More are refused at once: PostgreSQL is away or slow.
    private static let mostLookups = 256
    /// Unknown names for which a client may ask in a minute.
    private static let unknownPerMinute = 60

    private let replica: Replica
    private let pool: HouseholdPool
    private let lookups = Atomic(0)
    private let isAway = Atomic(false)
    private let unknown = Mutex(RateLimit(perMinute: unknownPerMinute))

    init(_ replica: Replica, _ pool: HouseholdPool) { (self.replica, self.pool) = (replica, pool) }

    func site(of host: String, for address: String) async throws(SiteFault) -> WebSite {
        guard let name = HostedName.household(of: host, domain: replica.serving.domain) else { throw .misdirected }
        let known = await pool.mark(of: name)
        guard let found = try await find(name) else {
            let now = Double(SystemClock.monotonic.nanoseconds) / 1e9
            if let seconds = unknown.withLock({ $0.consume(address, at: now) }) { throw .tooMany(seconds) }
            throw .unknown
        }
        return try await reachable {
            let household = try await pool.household(found, known: known)
            try await household.catchUp(to: found.mark.version)
            return household.site
        }
    }

    func isReady() async -> Bool {
        // No household has this name; what counts is the answer.
        do { _ = try await find("") } catch { return false }
        return true
    }

    private func find(_ name: String) async throws(SiteFault) -> FoundHousehold? {
        defer { lookups.subtract(1, ordering: .relaxed) }
        guard lookups.add(1, ordering: .relaxed).newValue <= Self.mostLookups else { throw .unavailable }
        let found = try await reachable {
            try await replica.lookupPool.runIfActive { [replica] in try replica.lookups.find(name) }
        }
        isAway.store(false, ordering: .relaxed)
        return found
    }

    private func reachable<Result: Sendable>(_ body: () async throws -> Result) async throws(SiteFault) -> Result {
        do { return try await body() } catch {
            // One line for each absence, not for each request.
            if !isAway.exchange(true, ordering: .relaxed) {
                replica.logger.error("household cannot be served", metadata: ["reason": "\(error)"])
            }
            throw .unavailable
        }
    }
}
