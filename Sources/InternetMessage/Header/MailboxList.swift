/// Parser of the mailbox list in a From field: RFC 5322 section 3.4 with its obsolete syntax (section 4.4), groups
/// (RFC 6854) and common mistakes.
///
/// The result decides which bank a message belongs to, so the parser resolves no ambiguity in the sender's favour. Mail
/// programs read `alerts@bank.example <other@evil.example>` in two ways; the parser lists both mailboxes.
struct MailboxList {
    private(set) var mailboxes: [EmailAddress] = []
    private(set) var isMalformed = false

    private let bytes: [UInt8]
    private var cursor = 0
    /// The words before `<`, `:` or the end of the mailbox, without quotes and comments.
    private var phrase: [UInt8] = []
    /// The same without spaces between the words: the local part if `@` follows.
    private var words: [UInt8] = []

    /// Maximum nesting of comments. A deeper comment is read as part of its parent.
    private static let commentDepth = 16

    /// - Parameter bytes: the unfolded value of the field.
    init(parsing bytes: [UInt8]) {
        self.bytes = bytes
        phrase.reserveCapacity(bytes.count)
        words.reserveCapacity(bytes.count)
        while cursor < bytes.count { readElement() }
        endMailbox(bare: nil)
    }

    private mutating func readElement() {
        switch bytes[cursor] {
        case ASCII.space, ASCII.tab:
            if !phrase.isEmpty, phrase.last != ASCII.space { phrase.append(ASCII.space) }
            cursor += 1
        case ASCII.openParen:
            skipComment()
        case ASCII.quote:
            let quoted = readQuotedString()
            phrase += quoted
            words += quoted
        case ASCII.comma, ASCII.semicolon:
            cursor += 1
            endMailbox(bare: nil)
        case ASCII.colon:
            // `phrase:` begins a group. Its mailboxes are listed like all others.
            cursor += 1
            if phrase.isEmpty { isMalformed = true }
            phrase = []
            words = []
        case ASCII.less:
            cursor += 1
            readAngleAddress()
        case ASCII.at:
            cursor += 1
            let domain = readDomain()
            endMailbox(bare: domain)
        case ASCII.greater:
            isMalformed = true
            cursor += 1
        default:
            let start = cursor
            repeat { cursor += 1 } while cursor < bytes.count && bytes[cursor].isPlain
            phrase += bytes[start..<cursor]
            words += bytes[start..<cursor]
        }
    }

    /// Reads `<local-part@domain>` and skips the route `@a,@b:` of RFC 822.
    private mutating func readAngleAddress() {
        let name = phrase
        words = []
        phrase = []
        var domain: [UInt8]?
        scan: while cursor < bytes.count {
            switch bytes[cursor] {
            case ASCII.greater:
                cursor += 1
                break scan
            case ASCII.openParen:
                skipComment()
            case ASCII.quote:
                words += readQuotedString()
            case ASCII.colon where words.isEmpty && domain != nil, ASCII.comma where words.isEmpty && domain != nil:
                domain = nil
                cursor += 1
            case ASCII.at:
                cursor += 1
                if domain != nil { isMalformed = true }
                domain = readDomain()
            case ASCII.space, ASCII.tab:
                cursor += 1
            default:
                if domain != nil { isMalformed = true }
                let start = cursor
                repeat { cursor += 1 } while cursor < bytes.count && bytes[cursor].isPlain
                words += bytes[start..<cursor]
            }
        }
        if bytes.last != ASCII.greater, cursor >= bytes.count, bytes.last != ASCII.closeParen { isMalformed = true }
        append(name: name, localPart: words, domain: domain)
        words = []
        phrase = []
    }

    /// Ends a mailbox without angle brackets.
    private mutating func endMailbox(bare domain: [UInt8]?) {
        if let domain {
            append(name: [], localPart: words, domain: domain)
        } else if !words.isEmpty {
            isMalformed = true
        }
        words = []
        phrase = []
    }

    private mutating func append(name: [UInt8], localPart: [UInt8], domain: [UInt8]?) {
        guard let domain, !domain.isEmpty, !localPart.isEmpty else {
            isMalformed = true
            return
        }
        var name = name
        while name.last == ASCII.space { name.removeLast() }
        let displayName = name.isEmpty ? nil : EncodedWords.decode(phrase: name)
        let mailbox = EmailAddress(
            displayName: displayName,
            localPart: String(decoding: localPart, as: UTF8.self), domain: String(decoding: domain, as: UTF8.self))
        // `a@b <a@b>` is one mailbox whose display name is the address.
        if let last = mailboxes.last, last.addrSpec == mailbox.addrSpec { return }
        mailboxes.append(mailbox)
    }

    /// Reads a dot-atom or `[literal]` and skips comments and white space around it.
    private mutating func readDomain() -> [UInt8] {
        var domain: [UInt8] = []
        var ended = false
        while cursor < bytes.count {
            switch bytes[cursor] {
            case ASCII.comma, ASCII.semicolon, ASCII.greater, ASCII.less, ASCII.at, ASCII.colon:
                return domain
            case ASCII.openParen:
                skipComment()
                ended = !domain.isEmpty
            case ASCII.space, ASCII.tab:
                cursor += 1
                ended = !domain.isEmpty
            case ASCII.openBracket where domain.isEmpty:
                while cursor < bytes.count, bytes[cursor] != ASCII.closeBracket {
                    domain.append(bytes[cursor])
                    cursor += 1
                }
            case ASCII.quote:
                isMalformed = true
                return domain
            default:
                // Obsolete syntax allows white space around the dots of a domain. Two words are damage.
                if ended, bytes[cursor] != ASCII.dot, domain.last != ASCII.dot {
                    isMalformed = true
                    return domain
                }
                ended = false
                let start = cursor
                repeat { cursor += 1 } while cursor < bytes.count && bytes[cursor].isPlain
                domain += bytes[start..<cursor]
            }
        }
        return domain
    }

    private mutating func readQuotedString() -> [UInt8] {
        var content: [UInt8] = []
        cursor += 1
        while cursor < bytes.count {
            let byte = bytes[cursor]
            cursor += 1
            if byte == ASCII.quote { return content }
            if byte == ASCII.backslash, cursor < bytes.count {
                content.append(bytes[cursor])
                cursor += 1
            } else {
                content.append(byte)
            }
        }
        isMalformed = true
        return content
    }

    private mutating func skipComment() {
        if let end = commentEnd(bytes.span, cursor..<bytes.count, depth: Self.commentDepth) {
            cursor = end
        } else {
            isMalformed = true
            cursor = bytes.count
        }
    }
}

/// Returns the index after the comment (RFC 5322 section 3.2.2) at the start of the range; nil if it is not closed.
func commentEnd(_ bytes: borrowing Octets, _ range: Range<Int>, depth limit: Int) -> Int? {
    var cursor = range.lowerBound
    var depth = 0
    while cursor < range.upperBound {
        switch bytes[cursor] {
        case ASCII.backslash: cursor += 1
        case ASCII.openParen where depth < limit: depth += 1
        case ASCII.closeParen:
            depth -= 1
            if depth == 0 { return cursor + 1 }
        default: break
        }
        cursor += 1
    }
    return nil
}
