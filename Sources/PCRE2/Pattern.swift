import CPCRE2
import Synchronization

/// A compiled, JIT-translated Perl-compatible regular expression over UTF-8 bytes (man pcre2pattern).
///
/// Immutable after compilation, so it may be shared by threads; the state of a match lives in a `Matcher`.
// the compiled code is read-only except for its translation, which happens once under a lock (pcre2api(3),
// MULTITHREADING)
public final class Pattern: @unchecked Sendable {
    /// The source of the pattern, including its prefix.
    public let source: String
    /// Named groups with their numbers; a name shared by alternatives has several.
    public let groups: [Group]
    /// Number of groups, including unnamed ones and the whole match. Groups beyond `Matcher.maximumGroups` are not
    /// read.
    public var groupCount: Int {
        var count: UInt32 = 0
        pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
        return Int(count) + 1
    }

    public struct Group: Sendable, Hashable {
        public let name: String
        public let numbers: [Int]
    }

    let code: OpaquePointer
    private let isTraced: Bool
    private let isTranslated = Atomic(false)
    private let matches = Atomic(0)
    private let translation = Mutex(())

    /// Compiles `source` as UTF-8, with repeated group names allowed; caseless only if the source requests it.
    ///
    /// - Parameters:
    ///   - tracing: compiles without JIT and with automatic callouts, for `Matcher.trace`.
    ///   - form: an equivalent pattern with the same named groups that is run instead, optimised for the machine.
    public init(_ source: String, tracing: Bool = false, running form: String? = nil) throws(PatternError) {
        self.source = source
        var status: Int32 = 0
        var offset = 0
        var text = form ?? source
        var options =
            UInt32(PCRE2_UTF) | UInt32(PCRE2_DUPNAMES) | UInt32(PCRE2_NEVER_BACKSLASH_C)
            | UInt32(PCRE2_USE_OFFSET_LIMIT)
        if tracing { options |= UInt32(PCRE2_AUTO_CALLOUT) | UInt32(PCRE2_NO_START_OPTIMIZE) }
        let compiled = text.withUTF8 { bytes in
            pcre2_compile_8(bytes.baseAddress, bytes.count, options, &status, &offset, nil)
        }
        guard let compiled else { throw PatternError(code: status, offset: offset) }
        code = compiled
        isTraced = tracing
        groups = Self.namedGroups(of: compiled)
    }

    deinit { pcre2_code_free_8(code) }

    /// Version such as `10.42 2022-12-11`; a pattern that one version compiles may fail in another.
    public static let libraryVersion: String = {
        var text = [UInt8](repeating: 0, count: max(Int(pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil)), 1))
        _ = text.withUnsafeMutableBytes { pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), $0.baseAddress) }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }()

    /// Number of interpreted matches before a pattern is translated to machine code. Most patterns of most banks run
    /// rarely or never; a translation costs the time of several hundred interpreted matches and ten times the pattern's
    /// memory.
    static let interpretedMatches = 16

    /// Counts a match; call it before each one.
    func count() {
        if isTraced || isTranslated.load(ordering: .acquiring) { return }
        if matches.add(1, ordering: .relaxed).newValue > Self.interpretedMatches { translate() }
    }

    /// Translates the pattern. If the machine forbids executable memory, matching is interpreted, with the same
    /// results.
    ///
    /// - Returns: false if it is already translated.
    @discardableResult
    func translate() -> Bool {
        if isTraced || isTranslated.load(ordering: .acquiring) { return false }
        return translation.withLock { _ in
            if isTranslated.load(ordering: .relaxed) { return false }
            _ = pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
            isTranslated.store(true, ordering: .releasing)
            return true
        }
    }

    /// pcre2api(3), "Information about a compiled pattern": the name table has fixed-size entries, two bytes of number
    /// first.
    private static func namedGroups(of code: OpaquePointer) -> [Group] {
        var count: UInt32 = 0
        var size: UInt32 = 0
        var table: UnsafePointer<UInt8>?
        pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
        pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
        pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
        guard let table else { return [] }
        var order: [String] = []
        var numbers: [String: [Int]] = [:]
        for index in 0..<Int(count) {
            let entry = table + index * Int(size)
            let name = String(cString: entry + 2)
            if numbers[name] == nil { order.append(name) }
            numbers[name, default: []].append(Int(entry[0]) << 8 | Int(entry[1]))
        }
        return order.map { Group(name: $0, numbers: numbers[$0] ?? []) }
    }
}

/// A pattern that does not compile.
public struct PatternError: Error, Sendable, CustomStringConvertible {
    /// PCRE2's error number (pcre2api(3)).
    public let code: Int32
    /// Byte offset of the error in the source.
    public let offset: Int

    /// Error message of PCRE2.
    public var description: String { errorMessage(code) }

    /// True if the compiled pattern exceeds the 64 KiB of a library with two-byte links.
    public var isTooLarge: Bool { code == PCRE2_ERROR_PATTERN_TOO_LARGE }
}

func errorMessage(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
        guard let base = buffer.baseAddress else { return "error \(code)" }
        let length = pcre2_get_error_message_8(code, base, buffer.count)
        return length < 0 ? "error \(code)" : String(decoding: buffer.prefix(Int(length)), as: UTF8.self)
    }
}
