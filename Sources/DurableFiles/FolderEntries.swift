import Glibc

/// Listing a folder without Foundation.
public enum FolderEntries {
    /// The names in a folder in the order of their bytes, without `.` and `..`; `nil` if it cannot be read, with the
    /// reason in `errno`.
    public static func names(_ path: String) -> [String]? {
        names(path) { name, _ in name != "." && name != ".." }?.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The names of the symbolic links in a folder, in any order; none if it cannot be read.
    public static func links(_ path: String) -> [String] {
        names(path) { name, type in type == DT_LNK || type == DT_UNKNOWN && isLink(path + "/" + name) } ?? []
    }

    /// - Parameter isWanted: decides by the name of an entry and its type, such as `DT_LNK`.
    private static func names(_ path: String, where isWanted: (_ name: String, _ type: Int) -> Bool) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isWanted(name, Int(entry.pointee.d_type)) { names.append(name) }
        }
        return names
    }

    /// For file systems whose folders do not tell (readdir(3), `DT_UNKNOWN`).
    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
