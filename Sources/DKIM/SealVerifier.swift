public import Chronology
import Codecs
import Crypto
public import InternetMessage

extension SignatureVerifier {
    /// Verifies the newest ARC-Message-Signature, and the ARC-Seals from the newest down to that of the forwarder whose
    /// word is relied on (RFC 8617 section 5.2).
    public func finding(for message: Message, vouchedBy forwarders: [String], receivedAt: UnixTime?) -> ARCFinding {
        do throws(ARCRefusal) {
            guard let voucher = try message.voucher(by: forwarders) else { return .unsealed }
            return try finding(for: voucher, of: message, receivedAt: receivedAt)
        } catch {
            return .refused(error)
        }
    }

    func finding(
        for voucher: ARCVoucher, of message: Message, receivedAt: UnixTime?
    ) throws(ARCRefusal) -> ARCFinding {
        if message.limitHit != nil { throw .signature(.limit) }
        let header = SignedHeader(message, signedBy: .arcMessageSignature)
        if let damage = header.damage { throw .signature(damage) }
        let arrival = receivedAt ?? .now
        guard let newest = voucher.chain.sets.last else { return .unsealed }
        var signatures = [try Self.signed(header, by: newest.signature, arrival)]
        signatures += try Self.seals(header, voucher, arrival)
        // The bytes are hashed before a key is looked up, because an altered body needs no lookup.
        return try verify(signatures) ? .vouched(forwarder: voucher.forwarder) : .undecided
    }

    /// A signature whose own fields are in order, with the digest that it must fit.
    private struct Signature {
        let name: KeyName
        let bytes: [UInt8]
        let digest: SHA256Digest
        let isSeal: Bool

        func refusal(_ reason: SignatureReason) -> ARCRefusal { isSeal ? .seal(reason) : .signature(reason) }
    }

    /// - Returns: false if a key was not looked up in time, and no other signature is refused.
    private func verify(_ signatures: [Signature]) throws(ARCRefusal) -> Bool {
        // The seals of one forwarder mostly have one key.
        var names: [KeyName] = []
        for signature in signatures where !names.contains(signature.name) { names.append(signature.name) }
        let answers = Dictionary(zip(names, keys.answers(for: names))) { first, _ in first }
        var records: [KeyName: KeyRecord] = [:]
        var isComplete = true
        for signature in signatures {
            switch answers[signature.name] {
            case .record(let record):
                do throws(KeyFault) {
                    if records[signature.name] == nil { records[signature.name] = try KeyRecord(parsing: record) }
                    guard let key = records[signature.name], key.isValid(signature.bytes, of: signature.digest) else {
                        throw KeyFault(.headerAltered)
                    }
                } catch {
                    throw signature.refusal(error.reason)
                }
            case .missing: throw signature.refusal(.keyMissing)
            case .unusable: throw signature.refusal(.keyUnusable)
            case .unavailable, nil: isComplete = false
            }
        }
        return isComplete
    }

    /// The ARC-Message-Signature, whose body hash fits: RFC 6376 section 6.1 with the differences of RFC 8617 section
    /// 4.1.2.
    private static func signed(
        _ header: SignedHeader, by field: ARCField, _ arrival: UnixTime
    ) throws(ARCRefusal) -> Signature {
        let tags = field.tags
        let form = (tags["c"] ?? "simple/simple").lowercased().split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let names = tags.items("h"), names.contains("from"), let expected = tags.compact("bh"),
            let headerForm = CanonicalHeader(name: form[0]),
            let bodyForm = CanonicalBody(name: form.count > 1 ? form[1] : "simple"),
            tags["q"].map({ $0.split(separator: ":").contains("dns/txt") }) ?? true
        else { throw .signature(.malformed) }
        guard header.covers(names) else { throw .signature(.fieldsUncovered) }
        if let reason = refusal(of: tags, arrival) { throw .signature(reason) }
        let body = header.withBody { bodyForm.bytes($0) }
        if let length = tags["l"] {
            // Text behind the signed length would be read as well.
            guard let length = UInt64(length) else { throw .signature(.malformed) }
            guard UInt64(body.count) == length else { throw .signature(.partialBody) }
        }
        let hash = SHA256.hash(data: body)
        guard Base64.standard.decode(expected).map({ hash == $0 }) == true else { throw .signature(.bodyAltered) }
        var bytes: [UInt8] = []
        for index in header.selected(names, besides: field.index) {
            header.append(index, headerForm, to: &bytes)
            bytes += [13, 10]
        }
        header.append(field.index, headerForm, without: tags.place(of: "b"), to: &bytes)
        return try signature(tags, field.domain, SHA256.hash(data: bytes), isSeal: false)
    }

    /// The seals from the one that is relied on to the newest. Each covers all sets up to its own, in their order (RFC
    /// 8617 section 5.1.1), so one hash is continued from set to set.
    private static func seals(
        _ header: SignedHeader, _ voucher: ARCVoucher, _ arrival: UnixTime
    ) throws(ARCRefusal) -> [Signature] {
        var covered = SHA256()
        func cover(_ index: Int) {
            var bytes: [UInt8] = []
            header.append(index, .relaxed, to: &bytes)
            covered.update(data: bytes + [13, 10])
        }
        var seals: [Signature] = []
        for (position, set) in voucher.chain.sets.enumerated() {
            cover(set.results.index)
            cover(set.signature.index)
            if position >= voucher.position {
                let tags = set.seal.tags
                if let reason = refusal(of: tags, arrival) { throw .seal(reason) }
                var own: [UInt8] = []
                header.append(set.seal.index, .relaxed, without: tags.place(of: "b"), to: &own)
                var hash = covered
                hash.update(data: own)
                seals.append(try signature(tags, set.seal.domain, hash.finalize(), isSeal: true))
            }
            cover(set.seal.index)
        }
        return seals
    }

    /// The reason to refuse a signature by its algorithm and its times; `nil` if there is none.
    private static func refusal(of tags: TagList, _ arrival: UnixTime) -> SignatureReason? {
        guard let algorithm = tags["a"]?.lowercased() else { return .malformed }
        // RFC 8617 defines this one alone; dkimpy and the large providers know no other.
        guard algorithm == "rsa-sha256" else { return algorithm == "rsa-sha1" ? .weakAlgorithm : .malformed }
        func time(_ name: String) -> Int64?? {
            tags[name].map { text -> Int64? in
                text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) ?? .max : nil
            }
        }
        let (signedAt, expiresAt) = (time("t"), time("x"))
        if signedAt == .some(nil) || expiresAt == .some(nil) { return .malformed }
        if let expiry = expiresAt ?? nil, expiry < arrival.seconds - clockSkew { return .expired }
        if let time = signedAt ?? nil, time > arrival.seconds + clockSkew { return .fromTheFuture }
        return nil
    }

    private static func signature(
        _ tags: TagList, _ domain: String, _ digest: SHA256Digest, isSeal: Bool
    ) throws(ARCRefusal) -> Signature {
        guard let text = tags.compact("b"), let bytes = Base64.standard.decode(text), !bytes.isEmpty,
            let selector = tags["s"], let name = KeyName(selector: selector, domain: domain)
        else { throw isSeal ? .seal(.malformed) : .signature(.malformed) }
        return Signature(name: name, bytes: bytes, digest: digest, isSeal: isSeal)
    }
}

extension CanonicalHeader {
    /// `nil` for an unknown name in `c=`.
    fileprivate init?(name: Substring) {
        switch name {
        case "simple": self = .simple
        case "relaxed": self = .relaxed
        default: return nil
        }
    }
}

extension CanonicalBody {
    /// `nil` for an unknown name in `c=`.
    fileprivate init?(name: Substring) {
        switch name {
        case "simple": self = .simple
        case "relaxed": self = .relaxed
        default: return nil
        }
    }
}
