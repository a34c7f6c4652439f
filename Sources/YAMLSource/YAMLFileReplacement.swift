import DurableFiles

extension YAMLFile {
    /// Replaces the file at this path with these bytes, atomically. It keeps its permissions; a symbolic link stays a
    /// link.
    ///
    /// - Parameter old: the bytes that the file must still have; a file that has changed since is left alone.
    public func replace(_ old: YAMLFile) throws(SourceError) {
        let replacement = FileReplacement(path, mode: .kept)
        guard try YAMLFile(path: replacement.path).bytes == old.bytes else {
            throw SourceError(
                file: path, message: "has changed while it was being edited", remedy: "Run the command again.")
        }
        do throws(FileWriteError) {
            try replacement.write(bytes)
        } catch {
            throw SourceError(
                file: path, message: "cannot be replaced: \(error)", remedy: "Check that this user may write there.")
        }
    }
}
