/// One response, parsed as far as needed. Ranges point into the reader's buffer.
enum Response {
    case tagged(UInt64, Status)
    /// `* OK|NO|BAD|PREAUTH`
    case status(Status)
    case bye(Status)
    case continuation
    case exists(UInt32)
    case expunge
    case fetch(FetchItems)
    case search(UIDSet)
    /// `tag` is `nil` if the server omitted the correlator.
    case esearch(tag: UInt64?, UIDSet)
    case capability(Capabilities)
    case folderStatus(FolderStatus)
    case list(ListedFolder)
    /// A response that is not needed.
    case other
}

/// `OK`, `NO` or `BAD` with its response code and text (`resp-cond-state`, RFC 9051 section 7.1).
struct Status {
    enum Outcome { case ok, no, bad }
    var outcome: Outcome
    var code: ResponseCode?
    /// Unchecked; see ``ServerText``.
    var text: String
}

/// The code in brackets before the text.
enum ResponseCode: Equatable {
    case uidValidity(UInt32)
    case uidNext(UInt32)
    case capability(Capabilities)
    /// Upper case, at most 40 letters, without arguments.
    case other(String)

    var name: String {
        switch self {
        case .uidValidity: "UIDVALIDITY"
        case .uidNext: "UIDNEXT"
        case .capability: "CAPABILITY"
        case .other(let name): name
        }
    }
}

extension WireCursor {
    /// Parses the whole response. Our tags are `S` and a number; any other tag is malformed.
    mutating func response() throws(Malformed) -> Response {
        if accept(0x2B) { return .continuation }
        guard accept(0x2A) else {
            guard accept(0x53), let tag = readNumber() else { throw Malformed(what: "a response to no command") }
            return try tagged(tag)
        }
        try expect(0x20, "a star without a blank")
        skipBlanks()
        if let number = readNumber() {
            skipBlanks()
            let word = readAtom()
            if matches(word, "FETCH") {
                skipBlanks()
                return .fetch(try fetchItems())
            }
            if matches(word, "EXISTS") {
                guard let count = UInt32(exactly: number) else {
                    throw Malformed(what: "an EXISTS that is not a 32-bit number")
                }
                return .exists(count)
            }
            return matches(word, "EXPUNGE") ? .expunge : .other
        }
        let word = readAtom()
        if matches(word, "BYE") { return .bye(status(.no)) }
        if matches(word, "PREAUTH") { return .status(status(.ok)) }
        if let outcome = outcome(word) { return .status(status(outcome)) }
        if matches(word, "SEARCH") { return .search(try searchResult()) }
        if matches(word, "ESEARCH") { return try esearchResult() }
        if matches(word, "CAPABILITY") { return .capability(capabilities()) }
        if matches(word, "STATUS") { return .folderStatus(try folderStatus()) }
        if matches(word, "LIST") || matches(word, "XLIST") { return .list(try listedFolder()) }
        return .other
    }

    /// After a tag.
    mutating func tagged(_ tag: UInt64) throws(Malformed) -> Response {
        try expect(0x20, "a tag without a blank")
        skipBlanks()
        guard let outcome = outcome(readAtom()) else {
            throw Malformed(what: "a tagged response that is neither OK, NO nor BAD")
        }
        return .tagged(tag, status(outcome))
    }

    private func outcome(_ word: Range<Int>) -> Status.Outcome? {
        matches(word, "OK") ? .ok : matches(word, "NO") ? .no : matches(word, "BAD") ? .bad : nil
    }

    /// After OK, NO, BAD, BYE: `[code] text`. Never fails: an unknown code belongs to the text.
    private mutating func status(_ outcome: Status.Outcome) -> Status {
        skipBlanks()
        var code: ResponseCode?
        if accept(0x5B) {
            code = responseCode()
            _ = skip(past: 0x5D)
            skipBlanks()
        }
        return Status(outcome: outcome, code: code, text: text(rest))
    }

    private mutating func responseCode() -> ResponseCode? {
        let word = readAtom()
        skipBlanks()
        if matches(word, "UIDVALIDITY"), let number = readNumber(), let value = UInt32(exactly: number) {
            return .uidValidity(value)
        }
        if matches(word, "UIDNEXT"), let number = readNumber(), let value = UInt32(exactly: number) {
            return .uidNext(value)
        }
        if matches(word, "CAPABILITY") { return .capability(capabilities()) }
        return word.isEmpty ? nil : .other(text(word.prefix(40)).uppercased())
    }

    private mutating func capabilities() -> Capabilities {
        var names: [String] = []
        skipBlanks()
        while !atEnd, peek != 0x5D {
            let word = readAtom()
            if word.isEmpty { break }
            names.append(text(word))
            skipBlanks()
        }
        return Capabilities(names)
    }

    /// `* SEARCH 2 5 8`, possibly followed by `(MODSEQ 5)` (RFC 7162).
    private mutating func searchResult() throws(Malformed) -> UIDSet {
        var numbers: [UInt32] = []
        skipBlanks()
        while !atEnd, peek != 0x28 {
            numbers.append(try expectNumber32("a SEARCH result that is not a UID"))
            skipBlanks()
        }
        return UIDSet(numbers: numbers)
    }

    /// `* ESEARCH (TAG "S3") UID ALL 1:5,7` (RFC 4731).
    private mutating func esearchResult() throws(Malformed) -> Response {
        var tag: UInt64?
        var found = UIDSet()
        skipBlanks()
        if accept(0x28) {
            skipBlanks()
            guard matches(readAtom(), "TAG") else { throw Malformed(what: "an ESEARCH without TAG in its parentheses") }
            skipBlanks()
            let name = peek == 0x22 ? try expectQuoted("the tag of an ESEARCH") : readAtom()
            tag = name.first.flatMap { bytes[$0] == 0x53 ? UInt64(text(name.dropFirst())) : nil }
            if tag == nil { throw Malformed(what: "an ESEARCH to no command") }
            skipBlanks()
            try expect(0x29, "an ESEARCH whose parenthesis is not closed")
        }
        skipBlanks()
        while !atEnd {
            let word = readAtom()
            if word.isEmpty { throw Malformed(what: "an ESEARCH item without a name") }
            skipBlanks()
            if matches(word, "UID") { continue }
            if matches(word, "ALL") {
                var set = bytes[readAtom()].map { $0 }[...]
                guard let uids = UIDSet(consuming: &set), set.isEmpty else {
                    throw Malformed(what: "an invalid ESEARCH set")
                }
                found.formUnion(uids)
            } else {
                try skipValue()
            }
            skipBlanks()
        }
        return .esearch(tag: tag, found)
    }
}
