import Glibc

/// Returns a free TCP port of the loopback interface.
public func freePort() throws -> UInt16 {
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
