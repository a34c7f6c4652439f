import CLibXML2

/// A document in XML or HTML, read by libxml2 without network, entities of its own and error output. Used on one
/// thread.
final class MarkupDocument {
    private let document: xmlDocPtr

    /// - Returns: `nil` if it is not well-formed, is nested deeper than 256 elements, or declares a document type, by
    ///   which entities could multiply.
    init?(xml bytes: ArraySlice<UInt8>) {
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        let read = bytes.withUnsafeBytes {
            xmlReadMemory(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: $0.count), nil, nil,
                CInt(bitPattern: options))
        }
        guard let read else { return nil }
        document = read
        if read.pointee.intSubset != nil { return nil }
    }

    /// - Returns: `nil` without any element. Malformed markup is read as browsers do.
    init?(html bytes: ArraySlice<UInt8>) {
        let options =
            HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_RECOVER.rawValue
        // Without a declaration libxml2 would take the text for ISO 8859-1.
        let encoding = String(validating: bytes, as: UTF8.self) == nil ? nil : "UTF-8"
        let read = bytes.withUnsafeBytes {
            htmlReadMemory(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: $0.count), nil, encoding,
                CInt(bitPattern: options))
        }
        guard let read else { return nil }
        document = read
    }

    deinit { xmlFreeDoc(document) }

    var root: MarkupElement? { xmlDocGetRootElement(document).map { MarkupElement(node: $0, document: self) } }
}

/// An element of a document, which it keeps alive.
struct MarkupElement {
    fileprivate let node: xmlNodePtr
    fileprivate let document: MarkupDocument

    /// The name without its prefix.
    var name: String { node.pointee.name.map { String(cString: $0) } ?? "" }

    /// The line of the file, from 1; the library counts to 65,535.
    var line: Int { Int(xmlGetLineNo(node)) }

    /// All text within.
    var rawText: String {
        guard let content = xmlNodeGetContent(node) else { return "" }
        defer { spendwise_xml_free(content) }
        return String(cString: content)
    }

    /// The same with one blank between words.
    var text: String { FormatText.collapsed([rawText]) }

    func attribute(_ name: String) -> String? {
        guard let value = xmlGetNoNsProp(node, name) else { return nil }
        defer { spendwise_xml_free(value) }
        return String(cString: value)
    }

    var children: [MarkupElement] {
        Array(
            sequence(first: node.pointee.children, next: { $0?.pointee.next }).lazy.compactMap(\.self)
                .filter { $0.pointee.type == XML_ELEMENT_NODE }
                .map { MarkupElement(node: $0, document: document) })
    }

    func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    /// The first element of a path of names.
    func first(_ path: String...) -> MarkupElement? {
        path.reduce(self) { element, name in element?.children.first { $0.name == name } }
    }

    /// Every element below with one of the names, in the order of the document.
    func descendants(_ names: Set<String>) -> [MarkupElement] {
        var found: [MarkupElement] = []
        // Without recursion: markup may be nested as deeply as it likes.
        var next = node.pointee.children
        while let current = next {
            if current.pointee.type == XML_ELEMENT_NODE {
                let element = MarkupElement(node: current, document: document)
                if names.contains(element.name) { found.append(element) }
            }
            next = current.pointee.children
            var place = current
            while next == nil {
                if let sibling = place.pointee.next {
                    next = sibling
                } else if let parent = place.pointee.parent, parent != node {
                    place = parent
                } else {
                    return found
                }
            }
        }
        return found
    }
}
