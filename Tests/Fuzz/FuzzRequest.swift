import Codecs

/// Reads the input as the body of a request: JSON, a form, a form with a file (`UploadedFile.swift` of Web is compiled
/// into this program). What is read must be the same after it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(JSONError) {
        let written = try JSON(parsing: bytes).utf8
        let again = try JSON(parsing: written).utf8
        precondition(again == written)
    } catch { precondition(error.line >= 1 && error.column >= 1 && !error.message.isEmpty) }
    let pairs = FormEncoding.decode(bytes, limit: 100)
    precondition(pairs.count <= 100)
    let again = FormEncoding.decode(FormEncoding.encode(pairs))
    precondition(again.elementsEqual(pairs) { $0 == $1 })
    let text = String(decoding: bytes, as: UTF8.self)
    precondition(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
    _ = PercentEncoding.decode(text)
    for base64 in [Base64.standard, .urlSafe] {
        precondition(base64.decode(Array(base64.encode(bytes).utf8)) == bytes)
        if let decoded = base64.decode(bytes) {
            precondition(base64.decode(Array(base64.encode(decoded).utf8)) == decoded)
        }
    }
    if let upload = UploadedFile(bytes, contentType: "multipart/form-data; boundary=b") {
        precondition(!upload.name.isEmpty && upload.bytes.count < bytes.count)
    }
    return 0
}
