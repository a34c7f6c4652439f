import Glibc
import Settings

/// A folder of a Maildir (maildir(5)) and its files. Nothing in it is ever changed.
struct MaildirFolder: Sendable {
    /// As the configuration names it.
    let name: String
    let path: String

    var new: String { path + "/new" }
    var cur: String { path + "/cur" }

    /// A Maildir++ folder, `.Bank.Alerts`, or where there is none a plain one below, as Dovecot's `LAYOUT=fs` has them.
    init(_ name: String, of settings: MaildirSettings) {
        self.name = name
        let dotted = settings.path + "/." + name.split(separator: "/").joined(separator: ".")
        path =
            name.uppercased() == "INBOX"
            ? settings.path
            : access(dotted, F_OK) == 0
                ? dotted : access(settings.path + "/" + name, F_OK) == 0 ? settings.path + "/" + name : dotted
    }

    struct File {
        var path: String
        /// Digest of the name without its flags: the same file when it is moved to `cur` and when its flags change.
        var id: Int64
        /// Seconds since 1970: when it was delivered.
        var time: Int64

        init?(directory: String, name: String) {
            if name.hasPrefix(".") { return nil }
            path = directory + "/" + name
            id = Self.id(ofName: name)
            time = 0
        }

        /// Asks the system for the time.
        /// - Returns: false where there is no such file (any more).
        mutating func stamp() -> Bool {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
            time = Int64(status.st_mtim.tv_sec)
            return true
        }

        /// FNV-1a of 64 bits. Names are chosen by this machine's delivery and not by senders.
        static func id(ofName name: String) -> Int64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in name.utf8 {
                if byte == UInt8(ascii: ":") { break }
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            return Int64(bitPattern: hash)
        }

        /// The two halves of `id`, under which its mail is recorded.
        var place: (uidValidity: UInt32, uid: UInt32) {
            let bits = UInt64(bitPattern: id)
            return (UInt32(truncatingIfNeeded: bits >> 32), UInt32(truncatingIfNeeded: bits))
        }

        static func id(_ place: (uidValidity: UInt32, uid: UInt32)) -> Int64 {
            Int64(bitPattern: UInt64(place.uidValidity) << 32 | UInt64(place.uid))
        }
    }

    /// Every file of `new` and `cur`, unordered.
    func files() throws(MaildirFault) -> [File] {
        var files: [File] = []
        for directory in [new, cur] {
            guard let names = folderEntries(directory) else { throw MaildirFault(path: directory, code: errno) }
            files += names.compactMap { File(directory: directory, name: $0) }
        }
        return files
    }

    /// Why it is not there; `nil` where it is.
    var absence: MaildirFault? {
        for directory in [new, cur] where access(directory, F_OK) != 0 {
            return MaildirFault(path: directory, code: errno)
        }
        return nil
    }

    /// Which `new` and `cur` stand at its path: others after they were replaced, or something was mounted over them. `nil` where there are none.
    var identity: [UInt64]? { statuses?.flatMap { [UInt64($0.st_dev), UInt64($0.st_ino)] } }

    /// Changes whenever a file comes, goes or is renamed. `nil` where a folder cannot be seen.
    var stamp: [Int64]? {
        statuses?.flatMap {
            [Int64(bitPattern: UInt64($0.st_ino)), Int64($0.st_mtim.tv_sec), Int64($0.st_mtim.tv_nsec)]
        }
    }

    /// Of `new` and `cur`.
    private var statuses: [stat]? {
        var statuses: [stat] = []
        for directory in [new, cur] {
            var status = stat()
            guard stat(directory, &status) == 0 else { return nil }
            statuses.append(status)
        }
        return statuses
    }
}

/// A Maildir that cannot be read, and what to do about it.
struct MaildirFault: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String {
        let remedy =
            switch code {
            case ENOENT:
                "a Maildir has the folders cur and new; correct 'maildir' or 'folders', or wait until it is mounted"
            case EACCES: "let this user read it, with chmod or setfacl"
            default: "look at it by hand"
            }
        return "\(path): \(String(cString: strerror(code))); \(remedy)"
    }
}
