import DurableFiles
import Glibc
import YAMLSource

/// Writes files completely or not at all.
enum NewFile {
    /// - Throws: `SourceError` if the file exists and may not be replaced, or cannot be written.
    static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws {
        if !replacing, access(path, F_OK) == 0 {
            throw SourceError(
                file: path, message: "exists already", remedy: "Give another name, or --force to replace it.")
        }
        do throws(FileWriteError) {
            try FileReplacement(path, mode: .newFile).write(bytes)
        } catch {
            throw SourceError(
                file: path, message: "cannot be written: \(error)", remedy: "Check that this user may write there.")
        }
    }
}
