import CGMime
import Glibc

/// Finder of a message's text parts: GMime parses multiparts (RFC 2046) that are not in the usual form
/// (``PlainMultipart``); a body of one part needs no parser.
///
/// Nothing is decoded. GMime reports the positions of the parts in the bytes of the message.
struct MIMEStructure {
    private(set) var defects = DefectList()

    private let limits: MessageLimits
    /// Leaves that are collected; 0 while only text is read.
    private let maximumFiles: Int
    private(set) var files: [FilePart] = []
    private var parts = 0
    /// Offset of the message's bytes relative to those that GMime reads.
    private var shift = 0

    init(_ limits: MessageLimits, filesAtMost maximumFiles: Int = 0) {
        self.limits = limits
        self.maximumFiles = maximumFiles
    }

    mutating func body(of bytes: borrowing Octets, _ section: HeaderSection) -> MIMEBody {
        GMime.start()
        let typeField = section.first(.contentType).map { unfolded(bytes, $0.value) }
        let type = typeField.flatMap(MediaType.read)
        if let typeField, type == nil, !typeField.isEmpty { defects.record(.malformedContentType) }
        guard let typeField, let type, type.isMultipart else {
            return leaf(type, bytes, section)
        }
        guard !hasTooManyDelimiters(bytes, from: section.bodyStart) else {
            defects.record(.limit(.partCount))
            return .nothing
        }
        // The quick reader gives no files.
        let plain =
            maximumFiles == 0
            ? PlainMultipart.read(typeField, bytes, section.bodyStart..<bytes.count, limits) : nil
        return plain ?? multipart(typeField, bytes, section.bodyStart)
    }

    /// Reads a message that is not a multipart.
    private mutating func leaf(_ type: MediaType?, _ bytes: borrowing Octets, _ section: HeaderSection) -> MIMEBody {
        let isAttachment =
            section.first(.contentDisposition).map {
                unfolded(bytes, $0.value).span.matches("attachment", at: 0)
            } ?? false
        if isAttachment, maximumFiles == 0 { return .nothing }
        var encoding = TransferEncoding.identity
        if let field = section.first(.contentTransferEncoding) {
            if let named = TransferEncoding(name: unfolded(bytes, field.value)) {
                encoding = named
            } else {
                defects.record(.unknownTransferEncoding)
            }
        }
        let content = section.bodyStart..<bytes.count
        if isAttachment || type.map({ $0.text == nil }) ?? false {
            add(FilePart(name: nil, encoding: encoding, content: content))
            return .nothing
        }
        return text(type, encoding, content)
    }

    private mutating func add(_ file: FilePart) {
        if files.count < maximumFiles { files.append(file) }
    }

    /// Parses the body with GMime, under a header of Content-Type only: parsing the other fields costs more than the
    /// body.
    mutating func multipart(_ type: [UInt8], _ bytes: borrowing Octets, _ bodyStart: Int) -> MIMEBody {
        var entity: [UInt8] = []
        entity.reserveCapacity(bytes.count - bodyStart + type.count + 32)
        entity += "Content-Type: ".utf8
        entity += type
        entity += [ASCII.lf, ASCII.lf]
        shift = bodyStart - entity.count
        entity.append(bytes, bodyStart..<bytes.count)
        return entity.withUnsafeMutableBufferPointer { buffer in
            var array = GByteArray(data: buffer.baseAddress, len: guint(truncatingIfNeeded: buffer.count))
            return withUnsafeMutablePointer(to: &array) { array in
                guard let stream = g_mime_stream_mem_new() else { return .nothing }
                defer { g_object_unref(stream) }
                // The stream does not own the array: it neither frees nor grows it.
                UnsafeMutableRawPointer(stream).withMemoryRebound(to: GMimeStreamMem.self, capacity: 1) {
                    g_mime_stream_mem_set_byte_array($0, array)
                }
                guard let parser = g_mime_parser_new_with_stream(stream) else { return .nothing }
                defer { g_object_unref(parser) }
                g_mime_parser_set_persist_stream(parser, 1)
                guard let object = g_mime_parser_construct_part(parser, nil) else {
                    defects.record(.malformedMultipart)
                    return .nothing
                }
                defer { g_object_unref(object) }
                return walk(object, depth: 1)
            }
        }
    }

    /// Returns true if so many lines begin with two hyphens that GMime might build millions of parts.
    private func hasTooManyDelimiters(_ bytes: borrowing Octets, from start: Int) -> Bool {
        var left = limits.partCount * 40
        // Each takes at least three bytes, so the body of an alert is too short.
        guard bytes.count - start >= left * 3 else { return false }
        var cursor = start
        while let hyphen = bytes.index(of: ASCII.lf, from: cursor) {
            if bytes.matches("--", at: hyphen + 1) {
                left -= 1
                if left == 0 { return true }
            }
            cursor = hyphen + 1
        }
        return false
    }

    private mutating func walk(_ object: UnsafeMutablePointer<GMimeObject>, depth: Int) -> MIMEBody {
        parts += 1
        guard depth <= limits.mimeDepth else {
            defects.record(.limit(.mimeDepth))
            return .nothing
        }
        guard parts <= limits.partCount else {
            defects.record(.limit(.partCount))
            return .nothing
        }
        if cgmime_is_multipart(object) != 0 { return children(of: object, depth: depth) }
        // Forwarded messages are not read. Other objects have no text.
        guard cgmime_is_part(object) != 0 else { return .nothing }
        if maximumFiles == 0, isAttachment(object) { return .nothing }
        return part(object)
    }

    private mutating func children(of object: UnsafeMutablePointer<GMimeObject>, depth: Int) -> MIMEBody {
        UnsafeMutableRawPointer(object).withMemoryRebound(to: GMimeMultipart.self, capacity: 1) { multipart in
            let count = g_mime_multipart_get_count(multipart)
            if count <= 0 { defects.record(.malformedMultipart) }
            let type = g_mime_object_get_content_type(object)
            func isKind(_ subtype: String) -> Bool { g_mime_content_type_is_type(type, "multipart", subtype) != 0 }
            if isKind("encrypted") { return .nothing }
            if isKind("related") || isKind("signed") {
                // The root is the first part, unless the `start` parameter names another (RFC 2387 section 3.2).
                let root = isKind("related") ? rootIndex(of: multipart, type: type, count: count) : 0
                return count > 0 ? child(multipart, root, depth: depth) : .nothing
            }
            var bodies: [MIMEBody] = []
            for index in 0..<max(count, 0) {
                bodies.append(child(multipart, index, depth: depth))
                if defects.firstLimit != nil { break }
            }
            return isKind("alternative") ? .choice(bodies) : .sequence(bodies)
        }
    }

    private mutating func child(
        _ multipart: UnsafeMutablePointer<GMimeMultipart>, _ index: Int32, depth: Int
    )
        -> MIMEBody
    {
        guard let object = g_mime_multipart_get_part(multipart, index) else { return .nothing }
        return walk(object, depth: depth + 1)
    }

    private func rootIndex(
        of multipart: UnsafeMutablePointer<GMimeMultipart>, type: UnsafeMutablePointer<GMimeContentType>?, count: Int32
    ) -> Int32 {
        guard let start = string(g_mime_content_type_get_parameter(type, "start")) else { return 0 }
        func bare(_ id: String) -> Substring { id.drop { $0 == "<" || $0 == " " }.prefix { $0 != ">" } }
        for index in 0..<min(max(count, 0), Int32(clamping: limits.partCount)) {
            guard let object = g_mime_multipart_get_part(multipart, index),
                let id = string(g_mime_object_get_content_id(object))
            else { continue }
            if bare(id) == bare(start) { return index }
        }
        return 0
    }

    private func isAttachment(_ object: UnsafeMutablePointer<GMimeObject>) -> Bool {
        string(g_mime_object_get_disposition(object))?.lowercased() == "attachment"
    }

    private mutating func part(_ object: UnsafeMutablePointer<GMimeObject>) -> MIMEBody {
        UnsafeMutableRawPointer(object).withMemoryRebound(to: GMimePart.self, capacity: 1) { part in
            guard let wrapper = g_mime_part_get_content(part), let stream = g_mime_data_wrapper_get_stream(wrapper)
            else { return .nothing }
            let start = Int(stream.pointee.bound_start) + shift
            let end = Int(stream.pointee.bound_end) + shift
            guard start >= 0, end >= start else { return .nothing }
            var encoding = TransferEncoding.identity
            if let name = string(g_mime_object_get_header(object, "Content-Transfer-Encoding")) {
                if let named = TransferEncoding(name: Array(name.utf8)) {
                    encoding = named
                } else {
                    defects.record(.unknownTransferEncoding)
                }
            }
            let type = MediaType(of: object)
            if type == nil, let field = g_mime_object_get_header(object, "Content-Type"), strnlen(field, 1) > 0 {
                defects.record(.malformedContentType)
            }
            if maximumFiles > 0, isAttachment(object) || type.map({ $0.text == nil }) ?? false {
                let name = FilePart.bare(string(g_mime_part_get_filename(part)))
                add(FilePart(name: name, encoding: encoding, content: start..<end))
                return .nothing
            }
            return text(type, encoding, start..<end)
        }
    }

    /// Returns a leaf part if it is text.
    private func text(_ type: MediaType?, _ encoding: TransferEncoding, _ content: Range<Int>) -> MIMEBody {
        guard let type else {
            return .text(
                TextPart(isHTML: false, isTypeUnknown: true, charset: nil, encoding: encoding, content: content))
        }
        guard let text = type.text else { return .nothing }
        return .text(
            TextPart(
                isHTML: text == .html, charset: type.charset, encoding: encoding, isFlowed: type.isFlowed,
                deletesSpace: type.deletesSpace, content: content))
    }
}
