import CPCRE2

/// Cost of a search, in steps: the number of pattern items tried.
public struct Work: Sendable, Equatable {
    /// Total over all start positions.
    public var total = 0
    /// Maximum of a single start position.
    public var most = 0
}

extension Matcher {
    /// Counts the steps of a search.
    ///
    /// The limits of `Limits` apply to each start position separately, and the JIT does not count characters that it
    /// skips, so neither measures the total cost of a text. This count does, and is the same on every machine. It runs
    /// in the interpreter, about thirty times as slow as the JIT: use it to check patterns, never to read mail.
    ///
    /// - Parameters:
    ///   - pattern: compiled with `tracing: true` (pcre2callout(3)).
    ///   - bound: the count at which the search is abandoned.
    /// - Returns: `nil` if the search needs more than `bound` steps.
    public static func work(of pattern: Pattern, in text: [UInt8], upTo bound: Int) -> Work? {
        guard let data = pcre2_match_data_create_8(1, nil), let context = pcre2_match_context_create_8(nil) else {
            return nil
        }
        defer {
            pcre2_match_context_free_8(context)
            pcre2_match_data_free_8(data)
        }
        // `bound` is the only limit; exhausted heap counts as beyond it.
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
