import CPCRE2

extension Matcher {
    /// How many steps the search for a match takes: the items of the pattern that are tried, at every place at which one may begin.
    ///
    /// The limits of `Limits` hold for each place by itself, and the JIT does not count the characters that it passes over, so neither tells
    /// what a text costs as a whole. This does, and gives the same number on every machine. Runs in the interpreter, some thirty times as
    /// slowly as the JIT: for judging patterns, never for reading mail.
    ///
    /// - Parameters:
    ///   - pattern: compiled with `tracing: true` (pcre2callout(3)).
    ///   - bound: where counting ends.
    /// - Returns: `nil` where there are more steps than `bound`.
    public static func steps(of pattern: Pattern, in text: [UInt8], upTo bound: Int) -> Int? {
        guard let data = pcre2_match_data_create_8(1, nil), let context = pcre2_match_context_create_8(nil) else { return nil }
        defer {
            pcre2_match_context_free_8(context)
            pcre2_match_data_free_8(data)
        }
        // The bound is the only limit; a depth that the heap cannot hold counts as beyond it.
        pcre2_set_match_limit_8(context, .max)
        pcre2_set_depth_limit_8(context, .max)
        pcre2_set_heap_limit_8(context, 256 << 10)
        var left = bound
        let result = withUnsafeMutablePointer(to: &left) { pointer in
            _ = pcre2_set_callout_8(
                context,
                { _, state in
                    guard let left = state?.assumingMemoryBound(to: Int.self) else { return PCRE2_ERROR_CALLOUT }
                    left.pointee -= 1
                    return left.pointee < 0 ? PCRE2_ERROR_CALLOUT : 0
                }, pointer)
            return text.withUnsafeBufferPointer { bytes in
                var nothing: UInt8 = 0
                return withUnsafePointer(to: &nothing) { empty in
                    pcre2_match_8(pattern.code, bytes.baseAddress ?? empty, bytes.count, 0, UInt32(PCRE2_NO_UTF_CHECK) | UInt32(PCRE2_NO_JIT), data, context)
                }
            }
        }
        return result >= 0 || result == PCRE2_ERROR_NOMATCH ? bound - left : nil
    }
}
