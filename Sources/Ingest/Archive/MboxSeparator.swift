/// Distinguishes the separator lines of an mbox file from lines of messages that begin with `From ` (RFC 4155, and
/// mbox(5) of qmail).
///
/// Programs write separators differently: Google `From 1545668983435175434@xxx Fri Sep 16 22:26:51 +0000 2016`,
/// Thunderbird `From - Fri Sep …`. Some omit the empty line before it, and some do not quote such lines in messages. So
/// a separator must follow an empty line or have a date, and in both cases a header must follow it.
enum MboxSeparator {
    enum Answer { case yes, no, unknown }

    /// Maximum length of a separator line and of a field name.
    static let longest = 1000

    /// - Parameters:
    ///   - at: the beginning of the line.
    ///   - isFirst: the file's first line.
    ///   - isWhole: `bytes` end with the file.
    static func begins(
        _ bytes: UnsafeRawBufferPointer, _ at: Int, isFirst: Bool = false, isWhole: Bool = false
    ) -> Answer {
        guard starts(bytes, at, with: "From ") else {
            return bytes.count - at >= 5 || isWhole || isFirst ? .no : .unknown
        }
        let line = bytes[at..<min(bytes.count, at + longest)]
        guard let end = line.firstIndex(of: 0x0A) else {
            return line.count == longest ? .no : isWhole || isFirst ? .yes : .unknown
        }
        guard isFirst || isBehindEmptyLine(bytes, at) || hasDate(line[..<end]) else { return .no }
        // An empty message.
        if isFirst, starts(bytes, end + 1, with: "From ") { return .yes }
        return header(bytes, end + 1, isWhole: isWhole || isFirst)
    }

    private static func isBehindEmptyLine(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
        guard at >= 2, bytes[at - 1] == 0x0A else { return false }
        if bytes[at - 2] == 0x0A { return true }
        return at >= 3 && bytes[at - 2] == 0x0D && bytes[at - 3] == 0x0A
    }

    /// True at a field name and a colon, or at the quoted separator that some programs write before it.
    private static func header(_ bytes: UnsafeRawBufferPointer, _ at: Int, isWhole: Bool) -> Answer {
        if starts(bytes, at, with: ">From ") { return .yes }
        var index = at
        while index < bytes.count, index < at + longest, bytes[index] > 32, bytes[index] < 127, bytes[index] != 0x3A {
            index += 1
        }
        // An empty message.
        if index == bytes.count { return isWhole ? (index == at ? .yes : .no) : .unknown }
        return index > at && bytes[index] == 0x3A ? .yes : .no
    }

    /// `From word Www Mmm dd hh:mm:ss … yyyy`.
    private static func hasDate(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        let words = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x0D })
        guard words.count >= 7, words.count <= 9, words[3].count == 3,
            words[3].allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
        else { return false }
        let isNumber = { (word: Slice<UnsafeRawBufferPointer>, digits: ClosedRange<Int>) in
            digits.contains(word.count) && word.allSatisfy { (0x30...0x39).contains($0) }
        }
        let time = words[5]
        return words[2].count == 3 && isNumber(words[4], 1...2) && (time.count == 8 || time.count == 5)
            && time.allSatisfy { (0x30...0x3A).contains($0) } && words[6...].contains { isNumber($0, 4...4) }
    }

    private static func starts(_ bytes: UnsafeRawBufferPointer, _ at: Int, with word: StaticString) -> Bool {
        guard at >= 0, bytes.count - at >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[at + offset] != word.utf8Start[offset] { return false }
        return true
    }

    /// Removes one `>` before each quoted `From ` (mboxrd and mboxo).
    ///
    /// - Returns: `nil` if nothing changes.
    static func unquoted(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard find(">From ", in: bytes, from: 0) != nil else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var copied = 0
        var from = 0
        while let at = find(">From ", in: bytes, from: from) {
            var start = at
            while start > 0, bytes[start - 1] == 0x3E { start -= 1 }
            if start == 0 || bytes[start - 1] == 0x0A {
                result.append(contentsOf: bytes[copied..<start])
                copied = start + 1
            }
            from = at + 6
        }
        result.append(contentsOf: bytes[copied...])
        return result.count == bytes.count ? nil : result
    }
}
