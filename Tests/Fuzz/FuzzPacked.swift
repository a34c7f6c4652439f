import PackedFiles

/// Reads the input as a packed file, of which every file is wanted: `.zip`, `.tar`, `.tgz` or `.gz`. What comes out
/// must be within the limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(PackedFileError) {
        let files = try PackedFile.files(in: bytes, limits: limits) { _ in true } ?? [:]
        let unpacked = files.values.reduce(0) { $0 + $1.count }
        precondition(files.count <= limits.members && unpacked <= limits.bytes)
        precondition(unpacked <= limits.free || unpacked <= limits.expansion * Int64(count + 1))
    } catch { precondition(!error.description.isEmpty) }
    return 0
}

/// Small, so that inputs reach them.
fileprivate let limits: PackedFile.Limits = {
    var limits = PackedFile.Limits()
    limits.members = 8
    limits.expansion = 20
    limits.free = 8 << 10
    limits.bytes = 64 << 10
    return limits
}()
