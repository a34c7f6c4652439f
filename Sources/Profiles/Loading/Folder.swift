import Glibc
package import YAMLSource

/// Listing folders without Foundation.
package enum Folder {
    /// The names in a folder, sorted.
    package static func names(in path: String) throws(SourceError) -> [String] {
        guard let directory = opendir(path) else {
            throw SourceError(
                file: path, message: "cannot be read: \(String(cString: strerror(errno)))",
                remedy: "Check the path, and that this user may read the folder.")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
