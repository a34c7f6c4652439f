import Chronology
import Glibc

/// Client of sd_notify(3): sends one datagram per message to the socket `$NOTIFY_SOCKET`. Does nothing without systemd.
struct SystemdNotifier: Sendable {
    private let address: [UInt8]?
    /// Seconds between two `WATCHDOG=1`, half of systemd's time limit; nil without a watchdog (sd_watchdog_enabled(3)).
    let watchdogInterval: Double?

    init(address: String, watchdogInterval: Double?) {
        self.address = Array(address.utf8)
        self.watchdogInterval = watchdogInterval
    }

    init() {
        address = getenv("NOTIFY_SOCKET").map { Array(String(cString: $0).utf8) }
        let microseconds = getenv("WATCHDOG_USEC").flatMap { Double(String(cString: $0)) }
        let isForUs = getenv("WATCHDOG_PID").flatMap { Int32(String(cString: $0)) }.map { $0 == getpid() } ?? true
        watchdogInterval = isForUs ? microseconds.map { $0 / 2_000_000 } : nil
    }

    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    func status(_ status: String) { send("STATUS=\(status)") }
    func stopping() { send("STOPPING=1") }
    func isAlive() { send("WATCHDOG=1") }

    /// Reports the start of a reload on the monotonic clock, for `Type=notify-reload`. `ready` reports its end.
    func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonic.microseconds)")
    }

    private func send(_ message: String) {
        guard let address, !address.isEmpty else { return }
        var name = sockaddr_un()
        guard address.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { path in
            path.copyBytes(from: address)
            // A leading @ denotes the abstract namespace, whose names begin with NUL (unix(7)).
            if address[0] == UInt8(ascii: "@") { path[0] = 0 }
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
