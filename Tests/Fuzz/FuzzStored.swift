import Glibc
import Zstandard

/// Reads the input as what a program with access to the files could have changed: an encrypted backup, whose source is
/// compiled into this program, and a retained mail that was compressed. The first byte of the latter is the length of
/// its dictionary, and the second that of the mail, in units of 16 bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if AgeFile.isEncrypted(beginning: bytes) { return decrypt(bytes) }
    guard bytes.count > 2 else { return 0 }
    let dictionary = bytes.dropFirst(2).prefix(Int(bytes[0]) * 16)
    let frame = bytes.dropFirst(2 + dictionary.count)
    guard let coder = DictionaryCoder(dictionary: Array(dictionary)) else { return 0 }
    let length = Int(bytes[1]) * 16
    if let mail = coder.decompress(Array(frame), count: length) { precondition(mail.count == length) }
    return 0
}

/// - Returns: -1 for an input that is not kept, because its scrypt takes too long.
fileprivate func decrypt(_ bytes: [UInt8]) -> Int32 {
    let line = bytes.split(separator: 10, maxSplits: 2).dropFirst().first ?? []
    let work = Int(String(decoding: line.split(separator: 32).last ?? [], as: UTF8.self)) ?? 0
    guard work <= 4 else { return -1 }
    for file in [source, target] {
        ftruncate(file, 0)
        lseek(file, 0, SEEK_SET)
    }
    guard bytes.withUnsafeBytes({ write(source, $0.baseAddress, $0.count) }) == bytes.count,
        let passphrase = BackupPassphrase(Array("correct horse battery".utf8))
    else { fatalError("the input cannot be written") }
    do {
        try AgeFile.decrypt(source, of: "fuzz.tgz", to: target, with: passphrase)
        // Only the seed's own text is proved.
        precondition(lseek(target, 0, SEEK_END) == plainBytes)
    } catch {
        precondition(error is BackupError && !"\(error)".isEmpty)
        precondition(lseek(target, 0, SEEK_END) == 0)
    }
    return 0
}

/// Length of what `corpus-Stored/backup` contains.
fileprivate let plainBytes = 26

fileprivate let source = temporaryFile()
fileprivate let target = temporaryFile()

/// A file without a name in the folder that `scripts/fuzz` makes in memory.
fileprivate func temporaryFile() -> Int32 {
    var name = Array(((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/stored-XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { fatalError("no temporary file") }
    unlink(name)
    return descriptor
}
