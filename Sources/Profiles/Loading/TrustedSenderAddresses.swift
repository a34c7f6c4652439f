public import Ledger

extension ProfileSet {
    /// The same profiles with addresses that a person trusts. An address outside of its bank's domains has no effect.
    public func adding(trusted: [TrustedSender]) -> ProfileSet {
        var banks = banks
        var changed = false
        for sender in trusted {
            guard let at = sender.address.lastIndex(of: "@"),
                let place = banks.firstIndex(where: {
                    $0.key == sender.bank
                        && $0.domains.contains(String(sender.address[sender.address.index(after: at)...]))
                }),
                !banks[place].addresses.isEmpty
            else { continue }
            changed = banks[place].addresses.insert(sender.address).inserted || changed
        }
        return changed ? with(banks: banks, shared: shared) : self
    }
}
