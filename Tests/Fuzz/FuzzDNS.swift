import InternetMessage

@testable import DKIM

/// Reads the input as the answer of a name server, and each record of it, and the input itself, as the record of a key.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    check(record: bytes)
    guard let answer = DNSAnswer(parsing: bytes)?.answer else { return 0 }
    guard case .records(let records, _) = answer else {
        precondition(answer == .missing)
        return 0
    }
    // No name is followed, so no byte is read twice.
    precondition(!records.isEmpty && records.reduce(0) { $0 + $1.count } < bytes.count)
    for record in records { check(record: record) }
    // A cut answer never has other records.
    if case .records(let cut, _)? = DNSAnswer(parsing: bytes.dropLast())?.answer { precondition(cut == records) }
    return 0
}

fileprivate func check(record: [UInt8]) {
    do throws(KeyFault) { _ = try KeyRecord(parsing: record) } catch {
        precondition([.keyUnusable, .keyRevoked, .keyForTests, .weakKey].contains(error.reason))
    }
}
