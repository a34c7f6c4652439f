import Glibc

/// Listing a folder without Foundation.
public enum FolderEntries {
    /// The names in a folder in the order of their bytes, without `.` and `..`; `nil` if it cannot be read, with the
    /// reason in `errno`.
    public static func names(_ path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = name(entry)
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The names of the symbolic links in a folder, in any order; none if it cannot be read.
    public static func links(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let type = Int(entry.pointee.d_type)
            if type == DT_LNK || type == DT_UNKNOWN && isLink(path + "/" + name(entry)) { names.append(name(entry)) }
        }
        return names
    }

    private static func name(_ entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// For file systems whose folders do not tell (readdir(3), `DT_UNKNOWN`).
    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
