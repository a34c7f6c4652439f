import Codecs
import Crypto
import CryptoExtras
import DurableFiles
import Glibc

/// Encryption of a file by a passphrase in the format of age (age-encryption.org/v1, recipient type scrypt), which the
/// program age(1) reads and writes as well.
///
/// A key for the file is sealed by scrypt of the passphrase. The content is sealed in chunks of 64 KiB by
/// ChaCha20-Poly1305; the nonce of the last one marks it, so that a cut or a change anywhere is an error.
enum AgeFile {
    private static let version = "age-encryption.org/v1"
    private static let chunkBytes = 64 << 10
    private static let tagBytes = 16
    private static let keyBytes = 16
    private static let nonceBytes = 16
    /// Binary logarithm of the cost: 128 MiB of memory and 0.4 s.
    private static let workFactor = 17
    /// The highest cost of a file that is read: 1 GiB of memory.
    private static let workLimit = 20
    /// Bytes of a header for one passphrase: it has about 150.
    private static let headerLimit = 1024

    static func isEncrypted(beginning: [UInt8]) -> Bool { beginning.starts(with: Array((version + "\n").utf8)) }

    /// Encrypts the rest of a file.
    static func encrypt(_ source: Int32, to target: Int32, with passphrase: BackupPassphrase) throws {
        let fileKey = SymmetricKey(size: .bits128)
        let salt = random(16)
        let wrapped = try ChaChaPoly.seal(
            fileKey.withUnsafeBytes(Array.init), using: try wrappingKey(passphrase, salt, workFactor),
            nonce: zeroNonce())
        let body = Array(wrapped.ciphertext) + Array(wrapped.tag)
        let header = "\(version)\n-> scrypt \(text(salt)) \(workFactor)\n\(text(body))\n---"
        let code = Array(HMAC<SHA256>.authenticationCode(for: Array(header.utf8), using: headerKey(fileKey)))
        let nonce = random(nonceBytes)
        try FileOutput.write(Array("\(header) \(text(code))\n".utf8) + nonce, to: target)
        let key = payloadKey(fileKey, nonce)
        var counter: UInt64 = 0
        try forEachChunk(of: source, size: chunkBytes) { chunk, isLast in
            let box = try ChaChaPoly.seal(chunk, using: key, nonce: chunkNonce(counter, isLast))
            try FileOutput.write(Array(box.ciphertext) + Array(box.tag), to: target)
            counter += 1
        }
    }

    /// Decrypts a file, of which nothing has been read. Writes only bytes that are proved.
    ///
    /// - Throws: ``BackupError`` for a wrong passphrase, and for a file that is damaged or cut.
    static func decrypt(
        _ source: Int32, of path: String, to target: Int32, with passphrase: BackupPassphrase
    ) throws {
        let header = try Header(source, of: path)
        guard let fileKey = try? open(header, with: passphrase) else {
            throw BackupError(path, "cannot be decrypted: another passphrase was used, or its beginning is damaged")
        }
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                header.code, authenticating: header.sealed, using: headerKey(fileKey))
        else { throw BackupError(path, "is damaged: its header was changed; use another backup") }
        let key = payloadKey(fileKey, header.nonce)
        guard lseek(source, off_t(header.length), SEEK_SET) >= 0 else { throw BackupError(path, "cannot be read") }
        var counter: UInt64 = 0
        try forEachChunk(of: source, size: chunkBytes + tagBytes) { chunk, isLast in
            guard chunk.count >= tagBytes,
                let box = try? ChaChaPoly.SealedBox(
                    nonce: chunkNonce(counter, isLast), ciphertext: chunk.dropLast(tagBytes),
                    tag: chunk.suffix(tagBytes)),
                let plain = try? ChaChaPoly.open(box, using: key)
            else { throw BackupError(path, "is damaged or cut: use another backup") }
            try FileOutput.write(Array(plain), to: target)
            counter += 1
        }
    }

    private static func open(_ header: Header, with passphrase: BackupPassphrase) throws -> SymmetricKey {
        let box = try ChaChaPoly.SealedBox(
            nonce: zeroNonce(), ciphertext: header.body.prefix(keyBytes), tag: header.body.suffix(tagBytes))
        return SymmetricKey(data: try ChaChaPoly.open(box, using: wrappingKey(passphrase, header.salt, header.work)))
    }

    private static func wrappingKey(_ passphrase: BackupPassphrase, _ salt: [UInt8], _ work: Int) throws -> SymmetricKey
    {
        try KDF.Scrypt.deriveKey(
            from: passphrase.bytes, salt: Array("\(version)/scrypt".utf8) + salt, outputByteCount: 32,
            rounds: 1 << work, blockSize: 8, parallelism: 1)
    }

    private static func headerKey(_ fileKey: SymmetricKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: fileKey, salt: [UInt8](), info: Array("header".utf8), outputByteCount: 32)
    }

    private static func payloadKey(_ fileKey: SymmetricKey, _ nonce: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: fileKey, salt: nonce, info: Array("payload".utf8), outputByteCount: 32)
    }

    /// Safe because the key seals nothing else.
    private static func zeroNonce() throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
    }

    /// 11 bytes of the chunk's number, then 1 for the last chunk (the STREAM construction).
    private static func chunkNonce(_ counter: UInt64, _ isLast: Bool) throws -> ChaChaPoly.Nonce {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        return try ChaChaPoly.Nonce(data: [0, 0, 0] + number + [isLast ? 1 : 0])
    }

    private static func random(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: 8 * count)).withUnsafeBytes(Array.init)
    }

    /// Base64 without padding.
    private static func text(_ bytes: [UInt8]) -> String { String(Base64.standard.encode(bytes).prefix { $0 != "=" }) }

    /// Calls `body` with parts of equal size, and true for the last one, which may be shorter.
    private static func forEachChunk(of file: Int32, size: Int, _ body: ([UInt8], Bool) throws -> Void) throws {
        var chunk = try read(file, size)
        while true {
            let next = chunk.count == size ? try read(file, size) : []
            try body(chunk, next.isEmpty)
            if next.isEmpty { return }
            chunk = next
        }
    }

    /// Reads `count` bytes, fewer only at the end of the file.
    private static func read(_ file: Int32, _ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let length = Glibc.read(file, buffer.baseAddress.map { $0 + filled }, count - filled)
                if length < 0, errno == EINTR { continue }
                guard length >= 0 else {
                    throw BackupError("the backup", "cannot be read: \(String(cString: strerror(errno)))")
                }
                if length == 0 { return }
                filled += length
            }
        }
    }

    /// The text at the beginning of a file with one passphrase, and the nonce after it.
    private struct Header {
        var salt: [UInt8] = []
        var work = 0
        var body: [UInt8] = []
        /// The lines up to the dashes, and the code that proves them.
        var sealed: [UInt8] = []
        var code: [UInt8] = []
        var nonce: [UInt8] = []
        /// Bytes in front of the content.
        var length = 0

        init(_ file: Int32, of path: String) throws(BackupError) {
            var bytes = [UInt8](repeating: 0, count: headerLimit)
            let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
            let lines = bytes.prefix(max(count, 0)).split(
                separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
            guard lines.count == 5, read(lines) else {
                throw BackupError(
                    path, "is encrypted in another way than by a passphrase, or damaged: decrypt it with 'age -d' first"
                )
            }
            let end = lines[4].startIndex
            length = end + nonceBytes
            guard length <= count else { throw BackupError(path, "is cut: use another backup") }
            nonce = Array(bytes[end..<length])
        }

        private mutating func read(_ lines: [ArraySlice<UInt8>]) -> Bool {
            let recipient = String(decoding: lines[1], as: UTF8.self).split(
                separator: " ", omittingEmptySubsequences: false)
            guard recipient.count == 4, recipient[0] == "->", recipient[1] == "scrypt",
                let salt = Base64.standard.decode(Array(recipient[2].utf8)), salt.count == 16,
                let work = Int(recipient[3]), (1...workLimit).contains(work),
                let body = Base64.standard.decode(lines[2]), body.count == keyBytes + tagBytes,
                lines[3].starts(with: Array("--- ".utf8)),
                let code = Base64.standard.decode(lines[3].dropFirst(4)), code.count == 32
            else { return false }
            (self.salt, self.work, self.body, self.code) = (salt, work, body, code)
            sealed = Array(lines[0..<3].joined(separator: [0x0A])) + Array("\n---".utf8)
            return true
        }
    }
}
