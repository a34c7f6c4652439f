internal import CPoppler
public import PDFWords

/// Reads the words of a PDF (ISO 32000) by Poppler.
public enum PDFText {
    /// A gap wider than this part of the letters' height ends a word, also without a blank: columns often have none.
    private static let widestGap = 0.2

    /// The words of each page, in Poppler's order.
    ///
    /// - Parameter password: of the owner or user, in UTF-8.
    public static func pages(in bytes: [UInt8], password: String? = nil) throws(PDFTextError) -> [[PDFWord]] {
        let document = try open(bytes, password)
        defer { g_object_unref(UnsafeMutableRawPointer(document)) }
        let count = poppler_document_get_n_pages(document)
        guard count <= PDFLimits.pages else { throw .tooManyPages }
        var (pages, total): ([[PDFWord]], Int) = ([], 0)
        for index in 0..<max(count, 0) {
            guard let page = poppler_document_get_page(document, index) else { throw .damaged }
            defer { g_object_unref(UnsafeMutableRawPointer(page)) }
            let words = words(of: page)
            total += words.count
            guard total <= PDFLimits.words else { throw .tooManyWords }
            pages.append(words)
        }
        guard total > 0 else { throw pages.isEmpty ? .damaged : .noText }
        return pages
    }

    private static func open(_ bytes: [UInt8], _ password: String?) throws(PDFTextError) -> OpaquePointer {
        guard PDFRequest.isFormat(bytes[...]), let copy = g_memdup2(bytes, gsize(bytes.count)) else { throw .damaged }
        // A stream: with bytes in memory, Poppler 22.12 crashes at a wrong password.
        let stream = g_memory_input_stream_new_from_data(copy, gssize(bytes.count), g_free)
        defer { g_object_unref(stream) }
        var error: UnsafeMutablePointer<GError>?
        if let document = poppler_document_new_from_stream(stream, goffset(bytes.count), password, nil, &error) {
            return document
        }
        defer { g_clear_error(&error) }
        guard spendwise_pdf_is_encrypted(error) != 0 else { throw .damaged }
        throw password == nil ? .needsPassword : .wrongPassword
    }

    private static func words(of page: OpaquePointer) -> [PDFWord] {
        guard let text = poppler_page_get_text(page) else { return [] }
        defer { g_free(text) }
        var (boxes, count): (UnsafeMutablePointer<PopplerRectangle>?, guint) = (nil, 0)
        guard poppler_page_get_text_layout(page, &boxes, &count) != 0, let boxes else { return [] }
        defer { g_free(boxes) }
        var words: [PDFWord] = []
        var isInside = false
        for (scalar, index) in zip(String(cString: text).unicodeScalars, 0..<Int(count)) {
            guard !scalar.properties.isWhitespace, scalar.value >= 0x20 else {
                isInside = false
                continue
            }
            let box = boxes[index]
            guard isOnPage(box) else { continue }
            if isInside, let last = words.last, continues(last, box) {
                words[words.count - 1].text.unicodeScalars.append(scalar)
                words[words.count - 1].right = max(last.right, box.x2)
                words[words.count - 1].top = min(last.top, box.y1)
                words[words.count - 1].bottom = max(last.bottom, box.y2)
            } else {
                words.append(PDFWord(String(scalar), left: box.x1, right: box.x2, top: box.y1, bottom: box.y2))
            }
            isInside = true
        }
        return words
    }

    private static func isOnPage(_ box: PopplerRectangle) -> Bool {
        [box.x1, box.x2, box.y1, box.y2].allSatisfy { abs($0) <= PDFLimits.longestSide } && box.x1 <= box.x2
            && box.y1 <= box.y2
    }

    private static func continues(_ word: PDFWord, _ box: PopplerRectangle) -> Bool {
        let height = max(word.height, 1)
        return box.x1 >= word.left && box.x1 - word.right <= height * widestGap
            && abs((box.y1 + box.y2) / 2 - word.middle) <= height / 2
    }
}
