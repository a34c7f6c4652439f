import COpenDKIM

/// The library, set up once and shared by all threads.
enum OpenDKIM {
    /// Smallest RSA key (RFC 8301 section 3.2).
    static let minimumKeyBits: UInt32 = 1024
    /// Seconds by which the library's clock may differ, so that it refuses no signature by `t=` and `x=`: both are
    /// compared with the arrival. Not larger, because the library subtracts it from the present time.
    private static let clockDrift: UInt64 = 1_000_000_000

    /// `nonisolated(unsafe)`: the library only reads a handle that is set up. It is never freed. `nil` without memory.
    nonisolated(unsafe) static let library: OpaquePointer? = {
        guard let library = dkim_init(nil, nil) else { return nil }
        // Handles of damaged signatures too; and no work before the keys are known.
        var flags = UInt32(DKIM_LIBFLAGS_BADSIGHANDLES | DKIM_LIBFLAGS_DELAYSIGPROC)
        var drift = clockDrift
        let statuses = [
            dkim_options(library, DKIM_OP_SETOPT, DKIM_OPTS_FLAGS, &flags, MemoryLayout.size(ofValue: flags)),
            dkim_options(library, DKIM_OP_SETOPT, DKIM_OPTS_CLOCKDRIFT, &drift, MemoryLayout.size(ofValue: drift)),
            dkim_set_key_lookup(library, lookUp),
            dkim_set_final(library, processAll),
        ]
        return statuses.allSatisfy { $0 == DKIM_STAT_OK } ? library : nil
    }()

    /// Copies the record of the handle's ``KeyTable``.
    private static let lookUp:
        @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UInt8>?, Int) -> DKIM_CBSTAT = {
            handle, signature, buffer, capacity in
            guard let context = dkim_get_user_context(handle), let signature, let buffer,
                let record = Unmanaged<KeyTable>.fromOpaque(context).takeUnretainedValue().records[signature],
                record.count < capacity
            else { return DKIM_CBSTAT_NOTFOUND }
            for (index, byte) in record.enumerated() { buffer[index] = byte }
            buffer[record.count] = 0
            return DKIM_CBSTAT_CONTINUE
        }

    /// Verifies each signature that is not ignored; the library itself stops at the first valid one.
    private static let processAll:
        @convention(c) (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, Int32) -> DKIM_CBSTAT = {
            handle, signatures, count in
            for index in 0..<Int(count) {
                guard let signature = signatures?[index],
                    dkim_sig_getflags(signature) & UInt32(DKIM_SIGFLAG_IGNORE) == 0
                else { continue }
                _ = dkim_sig_process(handle, signature)
            }
            return DKIM_CBSTAT_CONTINUE
        }
}

/// The key records for the signatures of one message.
final class KeyTable {
    var records: [OpaquePointer: [UInt8]] = [:]
}
