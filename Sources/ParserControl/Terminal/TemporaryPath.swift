import Glibc

/// The folder for temporary files: `TMPDIR`, or /tmp.
enum TemporaryPath {
    static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
}
