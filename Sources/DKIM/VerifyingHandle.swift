import COpenDKIM

/// The library's handle of one message. Used on one thread.
struct VerifyingHandle: ~Copyable {
    private let handle: OpaquePointer
    private let keys = KeyTable()

    /// Bytes that the library has for a key record. A key of 4,096 bits needs 750.
    static let recordBytes = 1000

    /// `nil` without memory.
    init?() {
        var status: DKIM_STAT = 0
        // The library keeps the pointer.
        let name: StaticString = "message"
        guard let library = OpenDKIM.library, let handle = dkim_verify(library, name.utf8Start, nil, &status) else {
            return nil
        }
        self.handle = handle
        dkim_set_user_context(handle, Unmanaged.passUnretained(keys).toOpaque())
    }

    deinit { dkim_free(handle) }

    /// Adds a field: its lines without the last line end.
    ///
    /// - Returns: false if the library does not read it as a field. It would verify a header without it.
    func add(field: UnsafeBufferPointer<UInt8>) -> Bool {
        // The library copies the bytes.
        dkim_header(handle, UnsafeMutablePointer(mutating: field.baseAddress), field.count) == DKIM_STAT_OK
    }

    /// Ends the header.
    /// - Returns: its signatures in order; `nil` if the library cannot read the header.
    func endOfHeader() -> [Signature]? {
        let status = dkim_eoh(handle)
        if status == DKIM_STAT_NOSIG { return [] }
        guard status == DKIM_STAT_OK else { return nil }
        return signatures()
    }

    private func signatures() -> [Signature]? {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        var count: Int32 = 0
        guard dkim_getsiglist(handle, &list, &count) == DKIM_STAT_OK, let list else { return nil }
        return (0..<Int(count)).compactMap { list[$0].map(Signature.init) }
    }

    /// Sets the record with which a signature is verified.
    func setKey(_ record: [UInt8], of signature: Signature) { keys.records[signature.handle] = record }

    /// Adds the whole body and verifies.
    /// - Parameter body: lines that end with CR LF.
    func finish(_ body: UnsafeBufferPointer<UInt8>) {
        if !body.isEmpty {
            _ = dkim_body(handle, UnsafeMutablePointer(mutating: body.baseAddress), body.count)
            // The library loses a last line without an end, which RFC 6376 section 3.4 completes.
            let lineEnd: StaticString = "\r\n"
            if !body.suffix(2).elementsEqual([13, 10]) {
                _ = dkim_body(handle, UnsafeMutablePointer(mutating: lineEnd.utf8Start), 2)
            }
        }
        // The return value is ignored: each signature has its own result.
        _ = dkim_eom(handle, nil)
    }

    /// A DKIM-Signature field. Valid as long as the message's handle.
    struct Signature {
        fileprivate let handle: OpaquePointer

        /// `d=`, in lower case; empty if it is missing.
        var domain: String { Self.text(dkim_sig_getdomain(handle)) ?? "" }
        /// `s=`, in lower case; empty if it is missing.
        var selector: String { Self.text(dkim_sig_getselector(handle)) ?? "" }

        func ignore() { dkim_sig_ignore(handle) }

        private static func text(_ bytes: UnsafeMutablePointer<UInt8>?) -> String? {
            bytes.map { String(cString: $0).lowercased() }
        }

        /// The raw value of a tag.
        private func tag(_ name: String) -> String? { spendwise_dkim_tag(handle, name).map { String(cString: $0) } }

        private func number(_ name: String) -> UInt64? {
            tag(name).map { text in
                // A number that is too large is clamped: as a time or length it exceeds every other.
                text.utf8.reduce(0) { sum, byte in
                    let (ten, isLarge) = sum.multipliedReportingOverflow(by: 10)
                    let (next, isLarger) = ten.addingReportingOverflow(UInt64(byte &- 48) % 10)
                    return isLarge || isLarger ? .max : next
                }
            }
        }

        var isRSASHA1: Bool { tag("a")?.lowercased().contains("sha1") ?? false }
        /// `t=` and `x=`, in seconds since 1970.
        var signedAt: UInt64? { number("t") }
        var expiresAt: UInt64? { number("x") }
        /// `l=`.
        var bodyLength: UInt64? { number("l") }

        var canonicalBody: CanonicalBody {
            var (header, body): (dkim_canon_t, dkim_canon_t) = (DKIM_CANON_SIMPLE, DKIM_CANON_SIMPLE)
            _ = dkim_sig_getcanons(handle, &header, &body)
            return body == DKIM_CANON_RELAXED ? .relaxed : .simple
        }

        /// The names of `h=` in lower case, with repetitions.
        var signedFields: [String] {
            (tag("h") ?? "").split(separator: ":").map {
                String(decoding: $0.utf8.filter { $0 > 32 && $0 < 127 }, as: UTF8.self).lowercased()
            }
        }

        /// True if the key is marked `t=y`.
        var hasTestKey: Bool { dkim_sig_getflags(handle) & UInt32(DKIM_SIGFLAG_TESTKEY) != 0 }

        /// True if the key of an RSA signature is too short. The library reports the length and accepts the signature.
        private var hasShortKey: Bool {
            var algorithm: dkim_alg_t = 0
            var bits: UInt32 = 0
            guard dkim_sig_getsignalg(handle, &algorithm) == DKIM_STAT_OK,
                dkim_sig_getkeysize(handle, &bits) == DKIM_STAT_OK
            else { return true }
            return algorithm != DKIM_SIGN_ED25519SHA256 && bits < OpenDKIM.minimumKeyBits
        }

        /// The error of the field itself, before a key is looked up.
        var syntaxError: SignatureError? {
            let code = dkim_sig_geterror(handle)
            return code == DKIM_SIGERROR_OK || code == DKIM_SIGERROR_UNKNOWN ? nil : SignatureError(code: code)
        }

        /// The result after ``VerifyingHandle/finish(_:)``; `nil` if the signature is valid.
        var error: SignatureError? {
            let code = dkim_sig_geterror(handle)
            let flags = dkim_sig_getflags(handle)
            if flags & UInt32(DKIM_SIGFLAG_PROCESSED) != 0, dkim_sig_getbh(handle) == DKIM_SIGBH_MISMATCH {
                return .bodyMismatch
            }
            if code != DKIM_SIGERROR_OK { return SignatureError(code: code) }
            let isValid =
                flags & UInt32(DKIM_SIGFLAG_PROCESSED) != 0 && flags & UInt32(DKIM_SIGFLAG_PASSED) != 0
                && dkim_sig_getbh(handle) == DKIM_SIGBH_MATCH
            guard isValid else { return .unknown }
            return hasShortKey ? .keyTooSmall : nil
        }
    }
}

/// The library's errors of a signature, as far as they are distinguished.
enum SignatureError {
    case field, expired, future, bodyMismatch, mismatch
    case keyMissing, keyRevoked, keyTooSmall, keyRecord
    case unknown

    init(code: Int32) {
        self =
            switch code {
            case DKIM_SIGERROR_EXPIRED: .expired
            case DKIM_SIGERROR_FUTURE: .future
            case DKIM_SIGERROR_TOOLARGE_L: .bodyMismatch
            case DKIM_SIGERROR_BADSIG: .mismatch
            case DKIM_SIGERROR_NOKEY: .keyMissing
            case DKIM_SIGERROR_KEYREVOKED: .keyRevoked
            case DKIM_SIGERROR_KEYTOOSMALL: .keyTooSmall
            case DKIM_SIGERROR_DNSSYNTAX, DKIM_SIGERROR_KEYFAIL, DKIM_SIGERROR_MULTIREPLY, DKIM_SIGERROR_SUBDOMAIN,
                DKIM_SIGERROR_KEYVERSION...DKIM_SIGERROR_KEYTYPEUNKNOWN, DKIM_SIGERROR_KEYDECODE:
                .keyRecord
            case DKIM_SIGERROR_UNKNOWN: .unknown
            default: .field
            }
    }
}
