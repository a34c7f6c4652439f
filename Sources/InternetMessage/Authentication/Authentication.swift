extension Message {
    /// Whether the mail comes from the domain in its From field.
    ///
    /// Under ``AuthenticationPolicy/pinned(authservID:)`` the fields are read from the top down. A server adds its
    /// fields above all that it received, so what the mailbox's own provider wrote stands first, and what a sender
    /// wrote, further down. An Authentication-Results field counts only if all of this holds:
    ///
    /// 1. It bears the pinned authserv-id. (`ARC-Authentication-Results` is another field and never counts.)
    /// 2. No foreign hop stands above it: no Received field whose `by` host is not the provider's. The provider's
    ///    are the hosts of the authserv-id's organisation and, as its inner hops are often written so, addresses
    ///    and names without a public domain (Gmail: addresses only, `by 2002:a05:…`). For an authserv-id that is
    ///    no domain name, the organisation is that of the topmost Received field.
    /// 3. No Received field stands between it and the first field that counts: what a provider splits over several
    ///    fields stands together.
    /// 4. It is the first, if the provider is known to write only one (Gmail, Outlook, Yahoo). Other servers remove
    ///    fields of their own name from mail that comes in, as RFC 8601 section 5 demands.
    ///
    /// Then `dmarc=fail` in any of them is a failure, whatever else is said. Else the first `dmarc=pass` counts, if
    /// its `header.from` (where given) is aligned with From; else any `dkim=pass` whose `header.d` or `header.i` is
    /// aligned with From. `spf` never counts by itself: it says nothing of From.
    public func authentication(_ policy: AuthenticationPolicy) -> AuthenticationVerdict {
        switch policy {
        case .trustDelivery: .trustedDelivery
        case .unverified: .unverified
        case .nobody: .missing(reason: .nobody)
        case .pinned(let authservID): verdict(authservID)
        }
    }

    private func verdict(_ authservID: String) -> AuthenticationVerdict {
        guard from.count == 1, let domain = from.first?.domain else { return .fail(reason: .notOneMailbox) }
        let (fields, hasForeign) = trustedResults(authservID)
        guard !fields.isEmpty else { return .missing(reason: hasForeign ? .onlyBelowForeignHop : .noField) }
        let results = fields.flatMap(\.results)
        let dmarc = results.filter { $0.method == .dmarc }
        if dmarc.contains(where: { $0.outcome == .fail }) { return .fail(reason: .dmarcFailed) }
        var failure: AuthenticationVerdict.Failure?
        if let first = dmarc.first, first.outcome == .pass {
            let names = first.values(of: .headerFrom)
            if names.allSatisfy({ Domain.areAligned(Self.domain(of: $0), domain) }) { return .pass(method: .dmarc) }
            failure = .dmarcOtherDomain
        }
        let dkim = results.filter { $0.method == .dkim }
        for result in dkim where result.outcome == .pass {
            // The domain that signed is header.d; header.i, which stands in for it, may name a host below it.
            var signers = result.values(of: .headerD)
            if signers.isEmpty { signers = result.values(of: .headerI) }
            if !signers.isEmpty, signers.allSatisfy({ Domain.areAligned(Self.domain(of: $0), domain) }) {
                return .pass(method: .dkim)
            }
            failure = failure ?? .dkimOtherDomain
        }
        if let failure { return .fail(reason: failure) }
        if dkim.contains(where: { $0.outcome == .fail }) { return .fail(reason: .dkimFailed) }
        return .missing(reason: .noResult)
    }

    /// The fields that the provider wrote, and whether there are others of its name that may be forged.
    private func trustedResults(_ authservID: String) -> (trusted: [AuthenticationResults], hasForeign: Bool) {
        let pinned = authservID.lowercased()
        let bytes = self.bytes
        var provider = MailProvider(authservID: pinned)
        var trusted: [AuthenticationResults] = []
        var isForeign = false
        var isFirstHop = true
        for field in section.fields {
            switch field.name {
            case .received:
                if !trusted.isEmpty { return (trusted, false) }
                if isForeign { continue }
                let hop = ReceivedHop(parsing: bytes.span, field.value)
                if isFirstHop, provider.domains.isEmpty, let by = hop.by {
                    provider = MailProvider(authservID: by)
                }
                isFirstHop = false
                isForeign = !provider.owns(hop)
            case .authenticationResults:
                let results = AuthenticationResults(parsing: bytes, field.value)
                guard Self.isPinned(results.authservID, pinned, provider) else { continue }
                if isForeign { return ([], true) }
                trusted.append(results)
                if provider.writesOneField { return (trusted, false) }
            default: break
            }
        }
        return (trusted, false)
    }

    private static func isPinned(_ name: String?, _ pinned: String, _ provider: MailProvider) -> Bool {
        guard let name else { return provider.omitsAuthservID }
        if pinned.hasPrefix("*.") { return name.hasSuffix(pinned.dropFirst()) || name == pinned.dropFirst(2) }
        return name == pinned
    }

    /// The domain in `user@domain`, `@domain` or `domain`.
    private static func domain(of value: String) -> String {
        guard let at = value.lastIndex(of: "@") else { return value }
        return String(value[value.index(after: at)...])
    }
}
