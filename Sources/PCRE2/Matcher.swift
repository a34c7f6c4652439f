import CPCRE2

/// Match state: the groups of the last match. Meant to be reused, by one thread at a time.
public final class Matcher {
    /// Limits of one match, so that no text can delay the mails after it.
    public struct Limits: Sendable {
        /// Calls of the matching function, which the interpreter counts about ten times as fast as the JIT. A genuine
        /// alert needs a few thousand of them, a hundred thousand in the interpreter; nested repetition on hostile text
        /// needs millions.
        public var match: UInt32 = 1_000_000
        /// Depth of nested backtracking; bounds the heap of the interpreter.
        public var depth: UInt32 = 20_000
        /// Heap of one match in KiB.
        public var heapKiB: UInt32 = 4_096

        public static let standard = Limits()
        public init() {}
    }

    /// Maximum number of groups that are read, including the whole match; further groups read as unset.
    public static let maximumGroups = 96

    private let data: OpaquePointer
    private let context: OpaquePointer
    private var groupCount = 0
    private let options: UInt32

    /// `nil` only if memory is exhausted.
    ///
    /// - Parameter interpreting: true disables the JIT, as if its stack did not suffice or executable memory were
    ///   forbidden.
    public init?(limits: Limits = .standard, interpreting: Bool = false) {
        options = UInt32(PCRE2_NO_UTF_CHECK) | (interpreting ? UInt32(PCRE2_NO_JIT) : 0)
        guard let data = pcre2_match_data_create_8(UInt32(Self.maximumGroups), nil) else { return nil }
        guard let context = pcre2_match_context_create_8(nil) else {
            pcre2_match_data_free_8(data)
            return nil
        }
        pcre2_set_match_limit_8(context, limits.match)
        pcre2_set_depth_limit_8(context, limits.depth)
        pcre2_set_heap_limit_8(context, limits.heapKiB)
        self.data = data
        self.context = context
    }

    deinit {
        pcre2_match_context_free_8(context)
        pcre2_match_data_free_8(data)
    }

    /// Finds the first match at or after byte `offset`. The text must be valid UTF-8, which is not checked again, and
    /// `offset` a character boundary. Throws if a limit is reached.
    public func firstMatch(
        of pattern: Pattern, in text: UnsafeBufferPointer<UInt8>, from offset: Int = 0
    ) throws(MatchError) -> Bool {
        let mayTranslate = options & UInt32(PCRE2_NO_JIT) == 0
        if mayTranslate { pattern.count() }
        var result = run(pattern, text, offset, options)
        // The interpreter reaches the limits sooner. The result must not depend on how often a pattern ran before.
        if mayTranslate, MatchError(code: result).limit != nil, pattern.translate() {
            result = run(pattern, text, offset, options)
        }
        if result == PCRE2_ERROR_JIT_STACKLIMIT {
            // The interpreter keeps its backtracking points on the heap, within the same limits.
            result = run(pattern, text, offset, options | UInt32(PCRE2_NO_JIT))
        }
        if result == PCRE2_ERROR_NOMATCH {
            groupCount = 0
            return false
        }
        if result < 0 {
            groupCount = 0
            throw MatchError(code: result)
        }
        groupCount = result == 0 ? Self.maximumGroups : Int(result)
        return true
    }

    /// Finds the first match that begins in a range of bytes, including its upper bound.
    public func firstMatch(
        of pattern: Pattern, in text: UnsafeBufferPointer<UInt8>, startingIn starts: ClosedRange<Int>
    ) throws(MatchError) -> Bool {
        pcre2_set_offset_limit_8(context, starts.upperBound)
        defer { pcre2_set_offset_limit_8(context, spendwise_pcre2_unset()) }
        return try firstMatch(of: pattern, in: text, from: starts.lowerBound)
    }

    /// The same for an array.
    public func firstMatch(of pattern: Pattern, in text: [UInt8], from offset: Int = 0) throws(MatchError) -> Bool {
        let result: Result<Bool, MatchError> = text.withUnsafeBufferPointer { bytes in
            do throws(MatchError) { return .success(try firstMatch(of: pattern, in: bytes, from: offset)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func run(_ pattern: Pattern, _ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ options: UInt32) -> Int32
    {
        guard offset >= 0, offset <= text.count else { return PCRE2_ERROR_NOMATCH }
        // PCRE2 refuses a null subject even of length zero.
        var nothing: UInt8 = 0
        return withUnsafePointer(to: &nothing) { empty in
            pcre2_match_8(pattern.code, text.baseAddress ?? empty, text.count, offset, options, data, context)
        }
    }

    /// Byte offsets of group `number` (0: the whole match) in the last match; `nil` if the group is unset.
    public func range(of number: Int) -> Range<Int>? {
        guard number >= 0, number < groupCount, let offsets = pcre2_get_ovector_pointer_8(data) else { return nil }
        let (start, end) = (offsets[2 * number], offsets[2 * number + 1])
        guard start != spendwise_pcre2_unset(), end != spendwise_pcre2_unset(), start <= end else { return nil }
        return start..<end
    }

    /// The first group of that name that is set in the last match.
    public func range(of group: Pattern.Group) -> Range<Int>? {
        for number in group.numbers {
            if let range = range(of: number) { return range }
        }
        return nil
    }
}

/// A match that reached a limit, or another error of PCRE2.
public struct MatchError: Error, Sendable, Equatable, CustomStringConvertible {
    public let code: Int32

    public init(code: Int32) { self.code = code }

    public static let outOfMemory = MatchError(code: PCRE2_ERROR_NOMEMORY)

    /// A limit of ``Matcher/Limits``, named like its property.
    public enum Limit: String, Sendable { case match, depth, heap }

    /// The limit that was reached; `nil` for any other error.
    public var limit: Limit? {
        switch code {
        case PCRE2_ERROR_MATCHLIMIT: .match
        case PCRE2_ERROR_DEPTHLIMIT: .depth
        case PCRE2_ERROR_HEAPLIMIT: .heap
        default: nil
        }
    }

    public var description: String {
        limit.map { "the \($0.rawValue) limit of a pattern was hit" } ?? errorMessage(code)
    }
}
