import Chronology

extension Session where Stream: ~Copyable {
    /// Fetches X-GM-MSGID, Gmail's lasting number of a message, the same in every folder of the account.
    ///
    /// Costs some 40 bytes a message. Empty if the server is not Gmail. Messages that no longer exist are left out.
    public mutating func gmailMessageIDs(of uids: UIDSet) throws(IMAPError) -> [UInt32: UInt64] {
        guard capabilities.gmail, !uids.isEmpty else { return [:] }
        var found: [UInt32: UInt64] = [:]
        var batches = UIDSet.Batches(uids, size: 10_000, bytes: WireLimits.commandBytes - 100)
        while let (_, wire) = batches.next() {
            let deadline = Deadline.after(timing.search)
            let tag = try send("UID FETCH \(wire) (UID X-GM-MSGID)", deadline)
            let status = try answer(to: tag, .deadline(deadline)) { response in
                if case .fetch(let items) = response, let uid = items.uid, let id = items.gmailMessageID {
                    found[uid] = id
                }
            }
            try require(status, "to number its mails", scope: .folder)
        }
        return found
    }
}
