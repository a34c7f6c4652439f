/// A PDF of texts at places, in Helvetica of 8 points on A4 (ISO 32000-1).
enum PDFFile {
    struct Text {
        var x: Double
        /// From the top edge.
        var y: Double
        var text: String

        init(_ x: Double, _ y: Double, _ text: String) { (self.x, self.y, self.text) = (x, y, text) }
    }

    static let size = 8.0

    /// A text that ends at `right`; the widths are those of the letters in amounts.
    static func right(_ right: Double, _ y: Double, _ text: String) -> Text {
        let width = text.reduce(0.0) { sum, letter in
            sum + (letter.isNumber ? 0.556 : ",. /".contains(letter) ? 0.278 : "()-r".contains(letter) ? 0.333 : 0.722)
        }
        return Text(right - width * size, y, text)
    }

    static func bytes(_ pages: [[Text]]) -> [UInt8] {
        bytes(
            pages.map { page in
                page.map { text in
                    "BT /F1 \(size) Tf 1 0 0 1 \(text.x) \(842 - text.y) Tm (\(quoted(text.text))) Tj ET\n"
                }.joined()
            })
    }

    /// Pages of lines in Courier, each letter four points wide and about eight high, as in a sample.
    static func typed(_ pages: [String]) -> [UInt8] {
        bytes(
            pages.map { page in
                page.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { number, line in
                    "BT /F2 10 Tf 66.6667 Tz 1 0 0 1 0 \(830 - 12 * number) Tm (\(quoted(String(line)))) Tj ET\n"
                }.joined()
            })
    }

    private static func quoted(_ text: String) -> String {
        text.reduce("") { $0 + ("()\\".contains($1) ? "\\" : "") + String($1) }
    }

    private static func bytes(_ pages: [String]) -> [UInt8] {
        /// Number of the object behind all pages.
        let typewriter = 4 + 2 * pages.count
        let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        for (index, stream) in pages.enumerated() {
            objects += [
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 \(typewriter) 0 R >> >> /Contents \(5 + 2 * index) 0 R >>",
                "<< /Length \(stream.utf8.count) >>\nstream\n\(stream)endstream",
            ]
        }
        objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>")
        var (text, offsets): (String, [Int]) = ("%PDF-1.4\n", [])
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = offsets.map { String("000000000\($0)".suffix(10)) + " 00000 n \n" }.joined()
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n\(table)"
        text += "trailer << /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }
}
