extension Session where Stream: ~Copyable {
    /// Gmail's lasting numbers of mails, the same in every folder of the account (X-GM-MSGID), without their texts.
    ///
    /// Costs some 40 bytes a mail. Empty where the server is not Gmail; a mail that is gone is left out.
    public mutating func gmailMessageIDs(of uids: UIDSet) throws(IMAPError) -> [UInt32: UInt64] {
        guard capabilities.gmail, !uids.isEmpty else { return [:] }
        var found: [UInt32: UInt64] = [:]
        var batches = UIDSet.Batches(uids, size: 10_000, bytes: WireLimits.commandBytes - 100)
        while let (_, wire) = batches.next() {
            let deadline = Deadline.after(timing.search)
            let tag = try send("UID FETCH \(wire) (UID X-GM-MSGID)", deadline)
            let status = try answer(to: tag, .until(deadline)) { response in
                if case .fetch(let items) = response, let uid = items.uid, let id = items.gmailMessageID {
                    found[uid] = id
                }
            }
            try require(status, "to number its mails", scope: .folder)
        }
        return found
    }
}
