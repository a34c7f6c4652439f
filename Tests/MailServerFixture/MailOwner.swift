public import Glibc

/// The user to whom mail and a server's processes belong: Debian's user `mail` if the tests run as root, because no
/// server opens mail as root, and otherwise the user of the tests.
public struct MailOwner: Sendable {
    public let uid: uid_t
    public let gid: gid_t

    public init() {
        if getuid() == 0, let mail = getpwnam("mail") {
            (uid, gid) = (mail.pointee.pw_uid, mail.pointee.pw_gid)
        } else {
            (uid, gid) = (getuid(), getgid())
        }
    }

    /// The user of the tests.
    public static let ofTests = MailOwner(uid: getuid(), gid: getgid())

    private init(uid: uid_t, gid: gid_t) { (self.uid, self.gid) = (uid, gid) }

    public var name: String { getpwuid(uid).map { String(cString: $0.pointee.pw_name) } ?? "\(uid)" }
    public var group: String { getgrgid(gid).map { String(cString: $0.pointee.gr_name) } ?? "\(gid)" }

    public func own(_ path: String) { chown(path, uid, gid) }

    /// Creates a folder of this user, unless it exists.
    public func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw FixtureError(description: "\(path): \(String(cString: strerror(errno)))")
        }
        own(path)
    }
}
