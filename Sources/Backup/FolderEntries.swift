import Glibc

enum FolderEntries {
    /// The names of the files in a folder, unordered, without `.` and `..`.
    static func names(_ path: String) throws(BackupError) -> [String] {
        guard let folder = opendir(path) else {
            throw BackupError(path, "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
