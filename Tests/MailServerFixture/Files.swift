import Glibc

public func contents(of path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FixtureError(description: "\(path): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(file, &piece, piece.count)
        if count <= 0 { return bytes }
        bytes += piece[..<count]
    }
}

public func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FixtureError(description: "\(path): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count > 0 else { throw FixtureError(description: "\(path): \(String(cString: strerror(errno)))") }
        written += count
    }
}

/// Returns the names in a folder, without those that begin with a dot.
public func names(in directory: String) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
}

/// Creates a temporary folder that other users may enter.
public func temporaryFolder(_ name: String) throws -> String {
    var template = Array("/tmp/\(name).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
        throw FixtureError(description: "no temporary folder: \(String(cString: strerror(errno)))")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o755)
    return path
}

/// Returns a connection to a port of the loopback interface, whose reads fail after `seconds` of silence; `nil` if
/// nothing listens.
func connection(to port: UInt16, seconds: Int) -> Int32? {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    guard connected else {
        close(client)
        return nil
    }
    var timeout = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    return client
}

/// Returns true if a server listens on this port of the loopback interface.
public func listens(_ port: UInt16) -> Bool {
    guard let client = connection(to: port, seconds: 2) else { return false }
    close(client)
    return true
}

/// Returns true if an IMAP server on this port of the loopback interface sends a greeting.
public func greets(_ port: UInt16) -> Bool {
    guard let client = connection(to: port, seconds: 2) else { return false }
    defer { close(client) }
    var byte: UInt8 = 0
    return read(client, &byte, 1) == 1 && byte == 0x2A
}
