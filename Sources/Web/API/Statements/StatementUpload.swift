import HTTPTypes
import Hummingbird

/// The file of a request to read a statement, with the password of a PDF.
struct StatementUpload: Sendable {
    var file: [UInt8]
    var password: String?

    /// Reads the body: the file itself, a form with the file and the field `password` (RFC 7578), or JSON with the
    /// members `text` and `password`. A password is no parameter of the address, which other programs log.
    init(_ call: Call) async throws {
        let header = call.request.headers[.contentType] ?? ""
        switch header.prefix(while: { $0 != ";" }).lowercased() {
        case "application/json":
            var fields = try await call.fields()
            let text = fields.optional("text")
            password = fields.optional("password")
            if text == nil { fields.refuse("text", "is required: the file's text") }
            try fields.finish()
            file = Array((text ?? "").utf8)
        case "multipart/form-data":
            guard let upload = UploadedFile(try await call.bytes(), contentType: header) else {
                throw Problem(status: .badRequest, detail: "The form has no file.")
            }
            file = upload.bytes
            password = upload.fields["password"].flatMap { $0.isEmpty ? nil : $0 }
        default: file = try await call.bytes()
        }
        guard !file.isEmpty else { throw Problem(status: .badRequest, detail: "A file is expected as the body.") }
    }
}
