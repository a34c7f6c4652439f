import Glibc

/// The folder of a file, and the file that a path leads to.
public enum FilePlace {
    /// The path of the folder that holds the file: `.` for a name without a folder.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The absolute path without symbolic links (realpath(3)); `nil` if no file is there, with the reason in `errno`.
    public static func target(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
