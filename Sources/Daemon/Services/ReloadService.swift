import IMAP
import Ingest
import Logging
import ServiceLifecycle
import UnixSignals

/// Reloads profiles, notification sinks and the server certificate on SIGHUP. If one cannot be loaded, it is logged and
/// the old one remains in use.
struct ReloadService: Service {
    /// The parts of the process that a reload replaces.
    struct Reloadable: Sendable {
        let profiles: ProfileReload
        let certificate: @Sendable () throws -> Void
        let sinks: @Sendable () throws -> Void
    }

    let signals: UnixSignalsSequence
    let reloadable: Reloadable
    let mailboxes: WatchedMailboxes
    let systemd: SystemdNotifier
    let logger: Logger

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() {
            systemd.reloading()
            do { try reloadable.certificate() } catch {
                logger.error("certificate not reloaded, the old one remains in use", metadata: ["reason": "\(error)"])
            }
            do { try reloadable.sinks() } catch {
                logger.error(
                    "notifications not reloaded, the old ones remain in use", metadata: ["reason": "\(error)"])
            }
            reloadProfiles()
        }
    }

    private func reloadProfiles() {
        do {
            try reloadable.profiles.run()
            systemd.ready("profiles reloaded")
            // Fetch a new bank's older mail and try a changed password immediately.
            for loop in mailboxes.all { loop.wake.wake() }
        } catch {
            logger.error("profiles not reloaded, the old ones remain in use", metadata: ["reason": "\(error)"])
            systemd.ready("profiles not reloaded: see the journal")
        }
    }
}
