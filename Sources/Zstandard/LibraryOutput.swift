import CZstd

/// - Parameter write: a call of libzstd, which writes into the room that it is given and returns the number of bytes
///   or an error.
/// - Returns: the bytes that were written; `nil` after an error.
func written(upTo capacity: Int, _ write: (_ room: UnsafeMutablePointer<UInt8>?) -> Int) -> [UInt8]? {
    var size = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
        size = write(room.baseAddress)
        count = ZSTD_isError(size) == 0 ? size : 0
    }
    return ZSTD_isError(size) == 0 ? bytes : nil
}
