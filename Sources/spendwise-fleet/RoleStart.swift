import Fleet
import Ingest
import Logging
import Profiles
import Settings

/// What a role of the program has from its start: a worker or a replica, which runs until it is stopped.
struct RoleStart {
    let fleet: FleetConfiguration
    let profiles: ProfileSet
    let logger: Logger

    /// Prepares the process and reads the configuration and the profiles. Call before any thread starts.
    init(_ file: FleetFile) throws {
        LongRunningProcess.prepare()
        fleet = try file.read()
        profiles = try ProfileSet(
            deferring: ProfileFolders(fleet.parsers, activated: nil), proofs: Program.proofs)
        logger = Logger(label: "spendwise-fleet")
    }
}
