public import Fleet
import Hummingbird
public import Logging
import NIOCore
import NIOPosix
public import Profiles
public import ServiceLifecycle
import Settings
import Web

/// A replica: serves the households of a fleet until it is stopped. It keeps nothing: any replica answers any request,
/// with the newest state of the household.
public struct FleetServer: Service {
    /// The most clients, and the connections to PostgreSQL.
    public static let sockets = WebApplication.mostConnections + Replica.connections

    private let replica: Replica
    let pool: HouseholdPool
    private let certificate: ServerCertificate?

    /// Checks the configuration, the database and the certificate. Blocks.
    public init(_ fleet: FleetConfiguration, profiles: ProfileSet, logger: Logger) throws {
        let serving = try fleet.serving.get()
        replica = try Replica(fleet, serving, profiles: profiles, logger: logger)
        pool = HouseholdPool(replica)
        certificate = try serving.web.certificate()
    }

    /// Call it before anything else uses the threads of NIO.
    public static func prepareThreads() { NIOSingletons.blockingPoolThreadCountSuggestion = Replica.ledgerThreads }

    /// Reads the certificate again, after its renewal.
    public func reloadCertificate() throws { try certificate?.reload() }

    /// Serves until a graceful shutdown: open requests are answered first. Removes all copies at the end.
    public func run() async throws {
        do { try await application().run() } catch {
            await close()
            throw error
        }
        await close()
    }

    func application() throws -> some ApplicationProtocol {
        let web = replica.serving.web
        return try WebApplication.make(
            host: web.host, port: web.port, sites: HouseholdSites(replica, pool), policy: web.policy,
            services: [CommitWatch(replica: replica, pool: pool)], logger: replica.logger, certificate: certificate
        ) { [logger = replica.logger] _ in logger.info("serving", metadata: ["url": "\(web.url)"]) }
    }

    /// Closes and removes all copies, and opens none any more.
    func close() async { await pool.closeAll() }
}
