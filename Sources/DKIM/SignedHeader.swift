import InternetMessage

/// The header and the body of a message in the form in which they were signed.
struct SignedHeader {
    private let bytes: [UInt8]
    private let fields: [(name: Range<Int>, whole: Range<Int>)]
    /// The places of the signature fields among the fields.
    private let signatures: [Int]
    /// The body with CR LF, if the message has other line ends.
    private let body: [UInt8]?
    private let bodyStart: Int

    /// Fields that decide what is read. If one is repeated, the first is read and the last ones are signed.
    private static let decisive: Set<String> = [
        "from", "subject", "date", "content-type", "content-transfer-encoding", "content-disposition", "mime-version",
    ]

    /// The field that holds the signatures.
    enum SignatureField: String {
        case dkimSignature = "dkim-signature"
        case arcMessageSignature = "arc-message-signature"
    }

    init(_ message: Message, signedBy signature: SignatureField = .dkimSignature) {
        let (bytes, fields) = (message.bytes, message.headerFields)
        (self.bytes, self.fields, bodyStart) = (bytes, fields, message.bodyStart)
        signatures = fields.indices.filter { Self.name(bytes, fields[$0].name) == signature.rawValue }
        guard !signatures.isEmpty else {
            body = nil
            return
        }
        let start = bodyStart
        body = bytes.withUnsafeBufferPointer { all in
            let body = UnsafeBufferPointer(rebasing: all[start...])
            return LineEndings.areTransported(body) ? nil : LineEndings.transported(body)
        }
    }

    var signatureCount: Int { signatures.count }

    /// The damage for which no signature is examined. The library ends a value at a NUL, and omits each CR without LF
    /// in a relaxed body, so it could verify another text than the one that is read.
    var damage: SignatureReason? {
        if fields.count > SignatureVerifier.fieldLimit || bytes[..<bodyStart].contains(0) { return .headerDamaged }
        return bytes.withUnsafeBufferPointer(LineEndings.haveBareCR) ? .bareCarriageReturn : nil
    }

    /// - Parameter signatures: maximum number of DKIM-Signature fields, the topmost ones.
    /// - Returns: false if the library does not read one of the fields, such as a name with a tab behind it. Malformed
    ///   signatures have results of their own.
    func feed(_ handle: borrowing VerifyingHandle, signatures limit: Int) -> Bool {
        let (omitted, examined) = (Set(signatures.dropFirst(limit)), Set(signatures.prefix(limit)))
        return bytes.withUnsafeBufferPointer { all in
            fields.indices.allSatisfy { index in
                if omitted.contains(index) { return true }
                let whole = UnsafeBufferPointer(rebasing: all[fields[index].whole])
                let isRead =
                    LineEndings.areTransported(whole)
                    ? handle.add(field: whole)
                    : LineEndings.transported(whole).withUnsafeBufferPointer { handle.add(field: $0) }
                return isRead || examined.contains(index)
            }
        }
    }

    func withBody<Result>(_ action: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let body { return body.withUnsafeBufferPointer(action) }
        return bytes.withUnsafeBufferPointer { action(UnsafeBufferPointer(rebasing: $0[bodyStart...])) }
    }

    /// True if a signature over these fields covers every instance of each field that is read: Subject always, the
    /// others if they are repeated. The library requires From.
    func covers(_ signed: [String]) -> Bool {
        var present: [String: Int] = [:]
        for field in fields {
            let name = Self.name(bytes, field.name)
            if Self.decisive.contains(name) { present[name, default: 0] += 1 }
        }
        return present.allSatisfy { name, count in
            (count == 1 && name != "subject") || signed.count { $0 == name } >= count
        }
    }

    /// The fields that `h=` names, in its order: of a repeated field the last one first, and nothing for a name without
    /// a field that is left (RFC 6376 section 5.4.2).
    ///
    /// - Parameter own: the signature field, which is not among the fields that it signs.
    func selected(_ names: [String], besides own: Int) -> [Int] {
        let wanted = Set(names)
        var places: [String: [Int]] = [:]
        for (index, field) in fields.enumerated() where index != own {
            let name = String(decoding: bytes[field.name], as: UTF8.self).lowercased()
            if wanted.contains(name) { places[name, default: []].append(index) }
        }
        return names.compactMap { places[$0]?.popLast() }
    }

    /// Appends a field in its canonical form, without the line end after it.
    ///
    /// - Parameter place: bytes of the message that are left out.
    func append(
        _ index: Int, _ form: CanonicalHeader, without place: Range<Int>? = nil, to result: inout [UInt8]
    ) {
        let (name, whole) = fields[index]
        var field = bytes[whole]
        if let place, whole.lowerBound <= place.lowerBound, place.upperBound <= whole.upperBound {
            field.removeSubrange(place)
        }
        let colon = field[name.upperBound...].firstIndex(of: UInt8(ascii: ":")) ?? field.endIndex
        field.withUnsafeBufferPointer { bytes in
            if form == .relaxed || LineEndings.areTransported(bytes) {
                form.append(bytes, colon: colon - field.startIndex, to: &result)
            } else {
                form.append(LineEndings.transported(bytes), colon: colon - field.startIndex, to: &result)
            }
        }
    }

    private static func name(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        // No name of interest is longer.
        range.count > 32 ? "" : String(decoding: bytes[range], as: UTF8.self).lowercased()
    }
}
