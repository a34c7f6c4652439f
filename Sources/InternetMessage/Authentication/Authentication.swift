extension Message {
    /// The authserv-id of the topmost Authentication-Results field (RFC 8601, section 2.3), if it is a plain name. Not
    /// verified: a sender can write the field, too.
    public var authservID: String? {
        guard let field = section.first(.authenticationResults),
            let name = AuthenticationResults(parsing: bytes, field.value).authservID,
            (1...100).contains(name.utf8.count),
            name.utf8.allSatisfy({
                $0 >= 0x61 && $0 <= 0x7A || (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D
            })
        else { return nil }
        return name
    }

    /// Returns the verdict on the domain in the From field.
    ///
    /// Under ``AuthenticationPolicy/pinned(authservID:)`` the header is read from the top. A server adds its fields
    /// above those that it received, so the fields of the mailbox's own provider come first and those of the sender
    /// last. An Authentication-Results field counts only if all of these hold:
    ///
    /// 1. It has the pinned authserv-id. (`ARC-Authentication-Results` is a different field and never counts.)
    /// 2. No foreign hop is above it: no Received field whose `by` host is not the provider's. The provider's hosts are
    ///    those of the authserv-id's organization and, since internal hops are often written so, IP addresses and names
    ///    without a public domain (Gmail: addresses only, `by 2002:a05:…`). If the authserv-id is not a domain name,
    ///    the organization is that of the topmost Received field.
    /// 3. No Received field is between it and the first field that counts: a provider that splits its results over
    ///    several fields writes them together.
    /// 4. It is the first one, if the provider is known to write only one (Gmail, Outlook, Yahoo). Other servers remove
    ///    incoming fields with their own authserv-id, as RFC 8601 section 5 requires.
    ///
    /// `dmarc=fail` in any of these fields is a failure. Otherwise the first `dmarc=pass` counts if its `header.from`
    /// is absent or aligned with From; otherwise any `dkim=pass` whose `header.d` or `header.i` is aligned with From.
    /// `spf` never counts alone: it does not concern From.
    ///
    /// If none of this confirms the sender, the word of a forwarder that the policy names counts
    /// (``voucher(by:)``), unless the provider and the own check disagree. A failure does not exclude it: a forwarder
    /// that changes a message makes the bank's signature fail, which is what ARC is for.
    ///
    /// - Parameters:
    ///   - signatures: the program's own check, made only under
    ///     ``AuthenticationPolicy/verified(authservID:forwarders:)``.
    ///   - seals: the check of the ARC sets, made only for the forwarders of the policy, and only if it is needed.
    public func authentication(
        _ policy: AuthenticationPolicy, signatures: () -> SignatureFinding = { .notChecked },
        seals: (_ forwarders: [String]) -> ARCFinding = { _ in .notChecked }
    ) -> AuthenticationVerdict {
        switch policy {
        case .trustDelivery: return .trustedDelivery
        case .unverified: return .unverified
        case .phone(let books): return .claimed(books: books)
        case .noTrustedServer: return .missing(reason: .noTrustedServer)
        case .pinned(let authservID, let forwarders):
            let verdict = self.verdict(authservID)
            return forwarders.isEmpty || !verdict.admitsVoucher ? verdict : seals(forwarders).verdict(or: verdict)
        case .verified(let authservID, let forwarders):
            let finding = signatures()
            let verdict = finding.verdict(beside: authservID.map { self.verdict($0) })
            if forwarders.isEmpty || !verdict.admitsVoucher { return verdict }
            let vouched = seals(forwarders).verdict(or: verdict)
            // A key that is looked up later may show that the provider and the own check disagree.
            return finding == .undecided && vouched.isProven ? .undecided : vouched
        }
    }

    private func verdict(_ authservID: String) -> AuthenticationVerdict {
        guard from.count == 1, let domain = from.first?.domain else { return .fail(reason: .notOneMailbox) }
        let (fields, hasForeign) = trustedResults(authservID)
        guard !fields.isEmpty else { return .missing(reason: hasForeign ? .onlyBelowForeignHop : .noField) }
        return Self.verdict(on: domain, by: fields.flatMap(\.results))
    }

    /// The verdict on the From domain by the results of a trusted server.
    static func verdict(on domain: String, by results: [AuthenticationResults.Result]) -> AuthenticationVerdict {
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
            // header.d is the signing domain. Without it, header.i counts, which may name a host below that domain.
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

    /// Returns the provider's fields, and true if there are only fields of its name that may be forged.
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

    /// Returns the domain of `user@domain`, `@domain` or `domain`.
    private static func domain(of value: String) -> String {
        guard let at = value.lastIndex(of: "@") else { return value }
        return String(value[value.index(after: at)...])
    }
}
