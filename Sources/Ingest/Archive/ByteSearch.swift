import Glibc

/// The offset of the first `word` at or after `from`.
func find(_ word: StaticString, in bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var from = from
    let length = word.utf8CodeUnitCount
    while from + length <= bytes.count,
        let hit = memchr(base + from, Int32(word.utf8Start[0]), bytes.count - from - length + 1)
    {
        let at = UnsafeRawPointer(hit) - base
        if memcmp(base + at, word.utf8Start, length) == 0 { return at }
        from = at + 1
    }
    return nil
}
