import DurableFiles
import Glibc
public import Store

/// The files of an archive (a file, a Maildir with its folders, or a folder of these) in a stable order.
public struct ArchiveWalk: Sendable {
    public struct File: Sendable {
        public let path: String
        public let identity: FileIdentity
        /// A delivered file of a Maildir. Its time is that of its arrival.
        public let isDelivery: Bool
    }

    public let root: String

    public init(root: String) { self.root = root }

    /// - Parameters:
    ///   - path: the file to begin with, or, if it no longer exists, its successor.
    ///   - fault: called for what cannot be read; the walk continues.
    ///   - each: returns false to end.
    public func files(from path: String? = nil, fault: (ArchiveFault) -> Void, each: (File) throws -> Bool) throws {
        let rest = path.flatMap { $0.hasPrefix(root + "/") ? $0.dropFirst(root.utf8.count + 1) : nil }
        _ = try visit(Place(path: root), from: (rest?.split(separator: "/").map(String.init) ?? [])[...], fault, each)
    }

    private struct Place {
        var path: String
        var depth = 0
        /// In `cur` or `new` of a Maildir.
        var isDelivery = false
    }

    /// Ends circular links.
    private static let depthLimit = 64

    /// - Parameter from: the path components of the first file; empty: the first one.
    private func visit(
        _ place: Place, from: ArraySlice<String>, _ fault: (ArchiveFault) -> Void, _ each: (File) throws -> Bool
    ) throws -> Bool {
        var status = stat()
        guard stat(place.path, &status) == 0 else {
            fault(ArchiveFault(place.path))
            return true
        }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFREG {
            let identity = FileIdentity(FileStamp(status))
            return try each(File(path: place.path, identity: identity, isDelivery: place.isDelivery))
        }
        guard kind == S_IFDIR, place.depth < Self.depthLimit else {
            if place.depth == 0 { fault(ArchiveFault(place.path, "is neither a file nor a folder")) }
            return true
        }
        guard let names = FolderEntries.names(place.path) else {
            fault(ArchiveFault(place.path))
            return true
        }
        // `tmp` holds messages that are not delivered yet (maildir(5)); subfolders begin with a dot (Maildir++).
        let isMaildir = names.contains("cur") && names.contains("new")
        for name in names {
            var below: ArraySlice<String> = []
            if let first = from.first {
                if name.utf8.lexicographicallyPrecedes(first.utf8) { continue }
                if name == first { below = from.dropFirst() }
            }
            if name.hasPrefix(".") ? !isMaildir : isMaildir && (name == "tmp" || name.hasPrefix("dovecot")) { continue }
            let next = Place(
                path: place.path + "/" + name, depth: place.depth + 1,
                isDelivery: isMaildir && (name == "cur" || name == "new"))
            guard try visit(next, from: below, fault, each) else { return false }
        }
        return true
    }
}

extension FileIdentity {
    init(_ stamp: FileStamp) {
        self.init(device: stamp.device, inode: stamp.inode, size: stamp.size, modifiedAt: stamp.modifiedAt)
    }
}
