import Fleet
import Logging
import NIOPosix
import ServiceLifecycle

/// Brings the copies of households with an open page up to date, so that the page hears of what others committed. One
/// statement asks for all of them; without an open page there is none.
struct CommitWatch: Service {
    /// Time between two statements, as between two looks of an open page at its ledger.
    private static let interval = Duration.seconds(2)

    let replica: Replica
    let pool: HouseholdPool

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                do { try await pass() } catch {
                    replica.logger.debug("commits of others not read", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    private func pass() async throws {
        let watched = await pool.watched()
        guard !watched.isEmpty else { return }
        let marks = try await replica.lookupPool.runIfActive { [lookups = replica.lookups] in
            try lookups.marks(of: watched.map(\.household.id))
        }
        await withTaskGroup { group in
            for copy in watched { group.addTask { await bringUpToDate(copy, to: marks[copy.household.id]) } }
        }
    }

    /// - Parameter newest: `nil` if the household is gone.
    private func bringUpToDate(_ copy: HouseholdPool.WatchedCopy, to newest: CommitMark?) async {
        guard let newest, copy.mark.isContinued(by: newest), !copy.household.hasEnded else {
            return await pool.discard(copy.household, of: copy.name)
        }
        do { try await copy.household.catchUp(to: newest.version) } catch {
            replica.logger.debug("commits of others not read", metadata: ["reason": "\(error)"])
        }
    }
}
