/// A field of an ARC set that is a list of tags: ARC-Message-Signature or ARC-Seal (RFC 8617 sections 4.1.2 and 4.1.3).
package struct ARCField {
    /// Position among ``Message/headerFields``.
    package let index: Int
    package let tags: TagList
    /// `d=` in lower case; empty if it is missing.
    package let domain: String

    fileprivate init?(_ bytes: [UInt8], _ value: Range<Int>, index: Int) {
        guard let tags = TagList(parsing: bytes, value) else { return nil }
        self.index = index
        self.tags = tags
        domain = Domain.normalized(tags["d"] ?? "")
    }
}

/// The three fields that one forwarder added (RFC 8617 section 4.2).
package struct ARCSet {
    /// ARC-Authentication-Results: position among ``Message/headerFields``, and the value after `i=`.
    package let results: (index: Int, value: Range<Int>)
    /// ARC-Message-Signature.
    package let signature: ARCField
    /// ARC-Seal.
    package let seal: ARCField
}

/// The fault for which the ARC sets of a message form no valid chain, as a sentence for people.
public enum ARCChainFault: String, Error, Hashable, Sendable, CaseIterable {
    case tooManyFields = "the mail has more ARC fields than 50 sets"
    case malformed = "an ARC field of the mail is malformed"
    case incomplete = "the ARC sets are not one field of each kind for each number from 1"
    case broken = "a forwarder found the chain broken (cv=fail)"
    case wrongStatus = "cv= is not none in the first ARC-Seal and pass in the others"
    case excess = "an ARC-Seal has h=, or an ARC-Message-Signature covers an ARC-Seal"
}

/// The ARC sets of a message, as far as they can be judged without a key: the first three steps of RFC 8617 section
/// 5.2.
package struct ARCChain {
    /// The set with the instance number 1 first; not empty.
    package let sets: [ARCSet]

    /// Sets that a message may have (RFC 8617 section 5.2).
    package static let setLimit = 50

    private enum Kind { case results, signature, seal }

    /// - Returns: `nil` if the message has no ARC field.
    package init?(of message: Message) throws(ARCChainFault) {
        let bytes = message.bytes
        var fields: [(kind: Kind, index: Int, value: Range<Int>)] = []
        for (index, field) in message.headerFields.enumerated() {
            guard let kind = Self.kind(bytes.span, field.name) else { continue }
            // The colon follows the name, after white space at most.
            let colon = bytes[field.name.upperBound..<field.whole.upperBound].firstIndex(of: ASCII.colon)
            guard let colon else { throw .malformed }
            fields.append((kind, index, colon + 1..<field.whole.upperBound))
            guard fields.count <= 3 * Self.setLimit else { throw .tooManyFields }
        }
        if fields.isEmpty { return nil }
        sets = try Self.sets(bytes, fields)
        try checkStatus()
    }

    private static func sets(
        _ bytes: [UInt8], _ fields: [(kind: Kind, index: Int, value: Range<Int>)]
    ) throws(ARCChainFault) -> [ARCSet] {
        var results: [Int: (index: Int, value: Range<Int>)] = [:]
        var signatures: [Int: ARCField] = [:]
        var seals: [Int: ARCField] = [:]
        for (kind, index, value) in fields {
            var isRepeated = false
            if kind == .results {
                guard let (number, rest) = instance(bytes, value) else { throw .malformed }
                isRepeated = results.updateValue((index, rest), forKey: number) != nil
            } else {
                guard let field = ARCField(bytes, value, index: index),
                    let number = field.tags["i"].flatMap({ instance($0.utf8) })
                else { throw .malformed }
                isRepeated =
                    kind == .seal
                    ? seals.updateValue(field, forKey: number) != nil
                    : signatures.updateValue(field, forKey: number) != nil
            }
            if isRepeated { throw .incomplete }
        }
        var sets: [ARCSet] = []
        for number in 1...max(results.count, signatures.count, seals.count) {
            guard let results = results[number], let signature = signatures[number], let seal = seals[number] else {
                throw .incomplete
            }
            sets.append(ARCSet(results: results, signature: signature, seal: seal))
        }
        return sets
    }

    private func checkStatus() throws(ARCChainFault) {
        let states = sets.map { $0.seal.tags["cv"]?.lowercased() }
        if states.contains("fail") { throw .broken }
        guard states.first == "none", states.dropFirst().allSatisfy({ $0 == "pass" }) else { throw .wrongStatus }
        for set in sets {
            guard set.seal.tags["h"] == nil, set.signature.tags.items("h")?.contains("arc-seal") != true else {
                throw .excess
            }
        }
    }

    private static func kind(_ bytes: borrowing Octets, _ name: Range<Int>) -> Kind? {
        let start = name.lowerBound
        switch name.count {
        case 8: return bytes.matches("arc-seal", at: start) ? .seal : nil
        case 21: return bytes.matches("arc-message-signature", at: start) ? .signature : nil
        case 26: return bytes.matches("arc-authentication-results", at: start) ? .results : nil
        default: return nil
        }
    }

    /// One or two digits, from 1 to ``setLimit``.
    private static func instance(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...2).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        return (1...setLimit).contains(number) ? number : nil
    }

    /// The instance number of an ARC-Authentication-Results field (`i=1;`), and what follows it.
    private static func instance(_ bytes: [UInt8], _ value: Range<Int>) -> (Int, rest: Range<Int>)? {
        guard let end = bytes[value].firstIndex(of: ASCII.semicolon),
            let tags = TagList(parsing: bytes, value.lowerBound..<end),
            let number = tags["i"].flatMap({ instance($0.utf8) })
        else { return nil }
        return (number, end + 1..<value.upperBound)
    }
}
