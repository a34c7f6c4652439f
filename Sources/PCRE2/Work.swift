import CPCRE2

/// The cost of the search for a match, in steps: the items of the pattern that are tried.
public struct Work: Sendable, Equatable {
    /// In all, at every place at which a match may begin.
    public var total = 0
    /// At the one of these places that takes most.
    public var most = 0
}

extension Matcher {
    /// Counts the steps of a search.
    ///
    /// The limits of `Limits` hold for each place by itself, and the JIT does not count the characters that it passes
    /// over, so neither tells what a text costs as a whole. This does, and gives the same numbers on every machine.
    /// Runs in the interpreter, some thirty times as slowly as the JIT: for judging patterns, never for reading mail.
    ///
    /// - Parameters:
    ///   - pattern: compiled with `tracing: true` (pcre2callout(3)).
    ///   - bound: where counting ends.
    /// - Returns: `nil` where there are more steps than `bound` in all.
    public static func work(of pattern: Pattern, in text: [UInt8], upTo bound: Int) -> Work? {
        guard let data = pcre2_match_data_create_8(1, nil), let context = pcre2_match_context_create_8(nil) else {
            return nil
        }
        defer {
            pcre2_match_context_free_8(context)
            pcre2_match_data_free_8(data)
        }
        // The bound is the only limit; a depth that the heap cannot hold counts as beyond it.
        pcre2_set_match_limit_8(context, .max)
        pcre2_set_depth_limit_8(context, .max)
        pcre2_set_heap_limit_8(context, 256 << 10)
        var count = Count(bound: bound)
        let result = withUnsafeMutablePointer(to: &count) { pointer in
            _ = pcre2_set_callout_8(
                context,
                { block, state in
                    guard let block, let count = state?.assumingMemoryBound(to: Count.self) else {
                        return PCRE2_ERROR_CALLOUT
                    }
                    return count.pointee.step(at: block.pointee.start_match) ? 0 : PCRE2_ERROR_CALLOUT
                }, pointer)
            return text.withUnsafeBufferPointer { bytes in
                var nothing: UInt8 = 0
                return withUnsafePointer(to: &nothing) { empty in
                    pcre2_match_8(
                        pattern.code, bytes.baseAddress ?? empty, bytes.count, 0,
                        UInt32(PCRE2_NO_UTF_CHECK) | UInt32(PCRE2_NO_JIT), data, context)
                }
            }
        }
        return result >= 0 || result == PCRE2_ERROR_NOMATCH ? count.work : nil
    }

    private struct Count {
        let bound: Int
        var work = Work()
        private var place = 0
        private var here = 0

        init(bound: Int) { self.bound = bound }

        mutating func step(at start: Int) -> Bool {
            if start != place { (place, here) = (start, 0) }
            here &+= 1
            if here > work.most { work.most = here }
            work.total &+= 1
            return work.total <= bound
        }
    }
}
