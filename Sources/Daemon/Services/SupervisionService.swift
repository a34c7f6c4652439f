import Ingest
import Processes
import ServiceLifecycle
import Store

/// Reports to systemd: the watchdog message while every mailbox thread is alive, and a status line. Also follows
/// changes of the system clock and returns memory after long passes.
struct SupervisionService: Service {
    let systemd: SystemdNotifier
    let mailboxes: WatchedMailboxes
    let context: MailboxContext

    /// Maximum seconds between two checks.
    private static let interval = 5.0

    func run() async throws {
        var last = ""
        var growth = MemoryGrowth()
        let interval = min(systemd.watchdogInterval ?? Self.interval, Self.interval)
        for await _ in Ticks(seconds: interval).cancelOnGracefulShutdown() {
            if systemd.watchdogInterval != nil, context.states.areAlive { systemd.isAlive() }
            await onThread { for loop in mailboxes.all { loop.followClock() } }
            if growth.isLarge(), isIdle {
                await onThread { context.releaseMemory() }
                growth.release()
            }
            let status = statusLine
            if status != last, !status.isEmpty { systemd.status(status) }
            last = status
        }
        systemd.stopping()
    }

    /// True if there are mailboxes and none is in the middle of a pass.
    private var isIdle: Bool {
        let all = context.states.all
        return !all.isEmpty && all.allSatisfy { $0.state != .connecting && $0.state != .reading }
    }

    private var statusLine: String {
        context.states.all
            .map { health in
                "\(health.mailbox): \(health.state.rawValue)" + (health.reason.map { " (\($0.prefix(120)))" } ?? "")
            }
            .joined(separator: "; ").split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
