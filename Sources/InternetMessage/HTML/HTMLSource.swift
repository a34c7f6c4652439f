/// The markup of an HTML document, for a program that changes it. All ranges are of bytes of the document.
public enum HTMLSource {
    public enum Token: Equatable {
        /// Text with character references.
        case text(Range<Int>)
        case tag(Tag)
        /// The content of an element in which only its own end tag is a tag, for example a style sheet.
        case content(Range<Int>, of: Tag)
        /// A comment, a declaration, a processing instruction, or an end tag without a name.
        case other(Range<Int>)
    }

    /// A start or end tag.
    public struct Tag: Equatable {
        public let range: Range<Int>
        public let name: Range<Int>
        public let isEndTag: Bool
        public let attributes: [Attribute]
    }

    public struct Attribute: Equatable {
        public let name: Range<Int>
        /// The value without its quotes; nil if the attribute is only a name.
        public let value: Range<Int>?
    }

    /// The tokens of a document by the rules of the renderer to text (HTML standard, section 13.2.5), in their order.
    ///
    /// A tag that does not end before the document does is no token, and nothing follows it.
    public static func tokens(of document: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        let html = document.span
        var cursor = 0
        while cursor < html.count {
            let less = html.index(of: ASCII.less, from: cursor) ?? html.count
            if less > cursor { tokens.append(.text(cursor..<less)) }
            guard less < html.count else { break }
            switch HTMLTokens.markup(html, at: less, isForeign: false) {
            case .text(let end):
                tokens.append(.text(less..<end))
                cursor = end
            case .skipped(let end):
                tokens.append(.other(less..<end))
                cursor = end
            case .endTag(let name):
                guard let tag = HTMLTokens.Tag(html, at: name) else { return tokens }
                tokens.append(.tag(Tag(html, tag, start: less, isEndTag: true)))
                cursor = tag.end
            case .startTag(let name):
                guard let tag = HTMLTokens.Tag(html, at: name) else { return tokens }
                let found = Tag(html, tag, start: less, isEndTag: false)
                tokens.append(.tag(found))
                cursor = HTMLTokens.contentEnd(of: .named(tag.name), html, tag)
                if cursor > tag.end { tokens.append(.content(tag.end..<cursor, of: found)) }
            }
        }
        return tokens
    }
}

extension HTMLSource.Tag {
    fileprivate init(_ html: borrowing Octets, _ tag: HTMLTokens.Tag, start: Int, isEndTag: Bool) {
        range = start..<tag.end
        name = tag.nameStart..<tag.nameEnd
        self.isEndTag = isEndTag
        var attributes: [HTMLSource.Attribute] = []
        tag.forEachAttribute(html) { _, name, value in
            let hasValue = value.lowerBound > name.upperBound
            attributes.append(HTMLSource.Attribute(name: name, value: hasValue ? value : nil))
        }
        self.attributes = attributes
    }
}
