import Glibc

/// Tells systemd how the service is (sd_notify(3)): one datagram a message to the socket that `$NOTIFY_SOCKET` names. Does nothing elsewhere.
struct ServiceManager: Sendable {
    private let address: [UInt8]?
    /// How often systemd wants `WATCHDOG=1`, in seconds; nil: not at all (sd_watchdog_enabled(3)).
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

    /// `Type=notify-reload` wants to know when a reload began, on the monotonic clock, and when it is over (`ready`).
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)")
    }

    private func send(_ message: String) {
        guard let address, !address.isEmpty else { return }
        var name = sockaddr_un()
        guard address.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { path in
            path.copyBytes(from: address)
            // A leading @ stands for the abstract namespace, whose names begin with a NUL (unix(7)).
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
