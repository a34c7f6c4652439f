import Glibc
import Synchronization

/// The ports that this process gave out.
fileprivate let given = Mutex<Set<UInt16>>([])

/// Returns a free TCP port of the loopback interface, and each port once: whoever asked for it may not listen yet, and
/// the system may name it again.
public func freePort() throws -> UInt16 {
    while true {
        let port = try unboundPort()
        if given.withLock({ $0.insert(port).inserted }) { return port }
    }
}

/// Returns a port to which nothing is bound.
fileprivate func unboundPort() throws -> UInt16 {
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(probe, $0, length) == 0 && getsockname(probe, $0, &length) == 0
        }
    }
    guard bound else { throw NoFreePort(reason: String(cString: strerror(errno))) }
    return UInt16(bigEndian: address.sin_port)
}

/// Error: the system gave no port.
public struct NoFreePort: Error, CustomStringConvertible {
    let reason: String

    public var description: String { "no free port: \(reason)" }
}
