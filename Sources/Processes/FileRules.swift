import CProcess
import Glibc

/// The files that a process keeps, whatever its user may open, and the TCP ports: a layer of Landlock (landlock(7)).
///
/// Rules for folders hold for everything below them. Links are followed when the rule is made; later, the place of the
/// opened file counts, not the path that led to it.
public struct FileRules: Sendable {
    public enum Right: Sendable {
        /// Read, and start programs.
        case run
        case read
        /// Read files, and write to those that exist.
        case use
        /// Read, make, write, rename and remove.
        case write
    }

    public enum Outcome: Hashable, Sendable {
        /// The version of the kernel's Landlock.
        case inForce(version: Int)
        /// The reason: an older kernel, a filter of system calls.
        case unavailable(String)
    }

    private var rights: [(path: String, right: Right)] = []
    /// Ports on which the process may listen; `nil` leaves listening alone. Needs version 4.
    public var listening: [UInt16]?
    /// False forbids connections by TCP to other programs. Needs version 4.
    public var connects = true

    public init() {}

    /// Allows `right` below a folder, or for a file. A path that does not exist is left out.
    public mutating func allow(_ right: Right, _ path: String) {
        if !rights.contains(where: { $0 == (path, right) }) { rights.append((path, right)) }
    }

    /// Gives up everything else, until the process ends. Later threads and child processes inherit the rules, earlier
    /// threads do not, so the process must have no other thread.
    public func enter() -> Outcome {
        let version = spendwise_landlock_version()
        guard version > 0 else { return Self.failure("Landlock") }
        guard Self.hasOneThread else { return .unavailable("the process already has several threads") }
        guard spendwise_forbid_new_privileges() == 0 else { return Self.failure("PR_SET_NO_NEW_PRIVS") }
        let known = Self.known(by: version)
        let rules = spendwise_landlock_create(known, version >= 4 ? network : 0, version >= 4 ? 1 : 0)
        guard rules >= 0 else { return Self.failure("a set of rules") }
        defer { close(rules) }
        for (path, right) in rights {
            guard Self.add(right.bits & known, path, to: rules) else { return Self.failure("the rule for \(path)") }
        }
        for port in version >= 4 ? listening ?? [] : []
        where spendwise_landlock_allow_port(rules, UInt64(SPENDWISE_LANDLOCK_BIND_TCP), UInt64(port)) != 0 {
            return Self.failure("the rule for port \(port)")
        }
        guard spendwise_landlock_enter(rules) == 0 else { return Self.failure("the rules") }
        return .inForce(version: Int(version))
    }

    private var network: UInt64 {
        (listening == nil ? 0 : SPENDWISE_LANDLOCK_BIND_TCP) | (connects ? 0 : SPENDWISE_LANDLOCK_CONNECT_TCP)
    }

    private static func failure(_ what: String) -> Outcome {
        .unavailable("\(what): \(String(cString: strerror(errno)))")
    }

    /// The rights that this version can forbid; it refuses others.
    private static func known(by version: Int32) -> UInt64 {
        var bits = Right.write.bits | Right.run.bits
        if version < 2 { bits &= ~SPENDWISE_LANDLOCK_REFER }
        if version < 3 { bits &= ~SPENDWISE_LANDLOCK_TRUNCATE }
        return bits
    }

    private static func add(_ bits: UInt64, _ path: String, to rules: Int32) -> Bool {
        let place = open(path, spendwise_place_only | O_CLOEXEC)
        // Nothing to allow.
        guard place >= 0 else { return true }
        defer { close(place) }
        var status = stat()
        guard fstat(place, &status) == 0 else { return false }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        return spendwise_landlock_allow_below(rules, isFolder ? bits : bits & Right.ofFiles, place) == 0
    }

    /// The only entry of `/proc/self/task` is the caller.
    private static var hasOneThread: Bool {
        var status = stat()
        // Two links of every folder, and one for each thread (proc(5)).
        return stat("/proc/self/task", &status) == 0 && status.st_nlink == 3
    }
}

extension FileRules.Right {
    /// The rights that a rule for a file, not for a folder, can have.
    fileprivate static var ofFiles: UInt64 {
        SPENDWISE_LANDLOCK_EXECUTE | SPENDWISE_LANDLOCK_READ_FILE | SPENDWISE_LANDLOCK_WRITE_FILE
            | SPENDWISE_LANDLOCK_TRUNCATE
    }

    fileprivate var bits: UInt64 {
        let reading = SPENDWISE_LANDLOCK_READ_FILE | SPENDWISE_LANDLOCK_READ_DIR
        let using = reading | SPENDWISE_LANDLOCK_WRITE_FILE | SPENDWISE_LANDLOCK_TRUNCATE
        switch self {
        case .run: return reading | SPENDWISE_LANDLOCK_EXECUTE
        case .read: return reading
        case .use: return using
        case .write:
            let making = SPENDWISE_LANDLOCK_MAKE_REG | SPENDWISE_LANDLOCK_MAKE_DIR
            let removing = SPENDWISE_LANDLOCK_REMOVE_FILE | SPENDWISE_LANDLOCK_REMOVE_DIR
            return using | making | removing | SPENDWISE_LANDLOCK_REFER
        }
    }
}
