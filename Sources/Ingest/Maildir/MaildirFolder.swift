import Chronology
import DurableFiles
import Glibc
import Settings

/// A folder of a Maildir (maildir(5)) and its files. Read-only.
struct MaildirFolder: Sendable {
    /// Name in the configuration.
    let name: String
    let path: String

    var new: String { path + "/new" }
    var cur: String { path + "/cur" }

    /// A Maildir++ folder, `.Bank.Alerts`, or, if there is none, a plain folder as of Dovecot's `LAYOUT=fs`.
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
        /// A digest of the name without its flags: it stays when the file is moved to `cur` and when its flags change.
        var id: Int64
        /// The time of delivery.
        var time: UnixTime

        init?(directory: String, name: String) {
            if name.hasPrefix(".") { return nil }
            path = directory + "/" + name
            id = Self.id(ofName: name)
            time = .epoch
        }

        /// The file with its time; `nil` if it no longer exists.
        var stamped: File? {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            var file = self
            file.time = UnixTime(seconds: Int64(status.st_mtim.tv_sec))
            return file
        }

        /// FNV-1a of 64 bits. The local delivery agent chooses names, not the sender.
        static func id(ofName name: String) -> Int64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in name.utf8 {
                if byte == UInt8(ascii: ":") { break }
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            return Int64(bitPattern: hash)
        }

        /// The two halves of `id`, under which the message is recorded.
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
            guard let names = FolderEntries.names(directory) else { throw MaildirFault(path: directory, code: errno) }
            files += names.compactMap { File(directory: directory, name: $0) }
        }
        return files
    }

    /// The fault of a missing folder; `nil` if it exists.
    var absence: MaildirFault? {
        for directory in [new, cur] where access(directory, F_OK) != 0 {
            return MaildirFault(path: directory, code: errno)
        }
        return nil
    }

    /// The device and inode of `new` and `cur`. They change when a folder is replaced or mounted over. `nil` if there
    /// is none.
    var identity: [Int64]? { stamps?.flatMap { [$0.device, $0.inode] } }

    /// The stamps of `new` and `cur`, which change whenever a file is added, removed or renamed. `nil` if a folder
    /// cannot be accessed.
    var stamps: [FileStamp]? {
        let stamps = [new, cur].compactMap(FileStamp.init(of:))
        return stamps.count == 2 ? stamps : nil
    }
}

/// A Maildir that cannot be read, with a remedy.
struct MaildirFault: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String {
        let remedy =
            switch code {
            case ENOENT:
                "a Maildir has the folders cur and new; correct 'maildir' or 'folders', or wait until it is mounted"
            case EACCES: "let this user read it, with chmod or setfacl"
            default: "check the folder"
            }
        return "\(path): \(String(cString: strerror(code))); \(remedy)"
    }
}
