import CPCRE2

/// Progress of a pattern in a text that it did not match, used in explanations only.
public struct Trace: Sendable, Equatable {
    /// Furthest byte offset in the text that any attempt reached.
    public var textOffset: Int
    /// Start of that attempt.
    public var startOffset: Int
    /// Byte offset in the source of the item that failed next.
    public var patternOffset: Int
}

extension Matcher {
    /// Runs a pattern compiled with `tracing: true` and records the furthest point reached (pcre2callout(3)).
    public static func trace(_ pattern: Pattern, in text: [UInt8], limits: Limits = .standard) -> Trace? {
        guard let data = pcre2_match_data_create_8(UInt32(Self.maximumGroups), nil),
            let context = pcre2_match_context_create_8(nil)
        else { return nil }
        defer {
            pcre2_match_context_free_8(context)
            pcre2_match_data_free_8(data)
        }
        pcre2_set_match_limit_8(context, limits.match)
        pcre2_set_depth_limit_8(context, limits.depth)
        pcre2_set_heap_limit_8(context, limits.heapKiB)
        var furthest = Trace(textOffset: 0, startOffset: 0, patternOffset: 0)
        withUnsafeMutablePointer(to: &furthest) { pointer in
            _ = pcre2_set_callout_8(
                context,
                { block, state in
                    guard let block, let furthest = state?.assumingMemoryBound(to: Trace.self) else { return 0 }
                    let reached = Int(block.pointee.current_position)
                    // Progress counts consumed bytes, so that a later start does not count as progress.
                    let start = Int(block.pointee.start_match)
                    if reached - start > furthest.pointee.textOffset - furthest.pointee.startOffset {
                        furthest.pointee = Trace(
                            textOffset: reached, startOffset: start, patternOffset: Int(block.pointee.pattern_position))
                    }
                    return 0
                }, pointer)
            _ = text.withUnsafeBufferPointer { bytes in
                pcre2_match_8(
                    pattern.code, bytes.baseAddress, bytes.count, 0, UInt32(PCRE2_NO_UTF_CHECK) | UInt32(PCRE2_NO_JIT),
                    data, context)
            }
        }
        return furthest.textOffset > furthest.startOffset ? furthest : nil
    }
}
