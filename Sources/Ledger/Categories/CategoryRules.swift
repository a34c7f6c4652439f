/// The vendor mappings and the aliases of payees, indexed for matching. One mapping gives the category and one alias
/// gives the payee. Each is the first, in this order, that matches and whose conditions hold:
///
/// 1. a person's own before the shipped ones;
/// 2. more conditions before fewer;
/// 3. a whole UPI address, then a keyword in the merchant's name, then one in the UPI address, then a UPI address with
///    `*`, then a merchant category code, then the rule for addresses of people;
/// 4. more given characters before fewer: the longer keyword, and for codes the smaller range;
/// 5. the one that occurs first in the text;
/// 6. the one that was created first.
///
/// A keyword matches whole words only, regardless of case and accents: `cafe noir` matches `CAFÉ  NOIR, PUNE`, `ola`
/// does not match `Cola`. Keywords are not matched against the handle of a UPI address: the payee `asha@airtel` is a
/// person, not the telephone company.
public struct CategoryRules: Sendable {
    /// Maximum number of words of a keyword; real keywords have at most five.
    public static let maximumWords = 6

    private var keywords = WordTable()
    private var addresses: [String: [VendorMapping]] = [:]
    private var patterns: [(pattern: UPIPattern, mapping: VendorMapping)] = []
    private var codes: [(codes: MerchantCategoryCodes, mapping: VendorMapping)] = []
    private var people: [String: [VendorMapping]] = [:]

    public static let empty = CategoryRules([])

    public init(_ list: [VendorMapping]) {
        for mapping in list {
            switch mapping.kind {
            case .keyword:
                if let words = VendorMapping.words(of: mapping.keyword) { keywords.add(mapping, under: words) }
            case .vpa:
                guard let pattern = UPIPattern(mapping.keyword) else { continue }
                if pattern.isExact {
                    addresses[pattern.description, default: []].append(mapping)
                } else {
                    patterns.append((pattern, mapping))
                }
            case .mcc: if let range = MerchantCategoryCodes(mapping.keyword) { codes.append((range, mapping)) }
            case .person:
                if let handle = VendorMapping.normalized(mapping.keyword, as: .person) {
                    people[handle, default: []].append(mapping)
                }
            }
        }
    }

    /// `nil` if no mapping matches this merchant. Mappings with conditions are skipped, because only the name is known.
    public func match(_ merchant: String) -> CategoryMatch? { match(CategoryFacts(merchant: merchant)) }

    /// `nil` if no mapping chooses a category for this transaction.
    public func match(_ facts: CategoryFacts) -> CategoryMatch? { matches(facts).category }

    /// The category and the payee of this transaction, found in one pass.
    public func matches(_ facts: CategoryFacts) -> RuleMatches {
        var best = Best()
        if let merchant = facts.merchant, !merchant.utf8.contains(UInt8(ascii: "@")) || UPIAddress(merchant) == nil {
            find(in: merchant, .merchant, facts, &best)
        }
        // If no name is printed, the merchant column contains the address.
        if let address = facts.vpa.flatMap(UPIAddress.init) ?? facts.merchant.flatMap(UPIAddress.init) {
            find(address, facts, &best)
        }
        if !codes.isEmpty, let code = facts.mcc.flatMap(MerchantCategoryCodes.code) {
            for (range, mapping) in codes where range.range.contains(code) && mapping.conditions.hold(of: facts) {
                consider(mapping, .code, rank: .code, length: 10_000 - range.range.count, at: 0, &best)
            }
        }
        return RuleMatches(
            category: best.category.map { CategoryMatch(mapping: $0.mapping, place: $0.place) },
            payee: best.payee?.mapping.payee)
    }

    private func find(in text: String, _ place: CategoryMatch.Place, _ facts: CategoryFacts, _ best: inout Best) {
        keywords.each(in: Self.normalizedBytes(text)) { mappings, length, start in
            for mapping in mappings where mapping.conditions.isEmpty || mapping.conditions.hold(of: facts) {
                consider(
                    mapping, place, rank: place == .merchant ? .name : .localPart, length: length, at: start, &best)
            }
        }
    }

    private func find(_ address: UPIAddress, _ facts: CategoryFacts, _ best: inout Best) {
        if !addresses.isEmpty {
            for mapping in addresses["\(address.local)@\(address.handle)"] ?? []
            where mapping.conditions.hold(of: facts) {
                consider(mapping, .address, rank: .address, length: 0, at: 0, &best)
            }
        }
        find(in: address.words, .address, facts, &best)
        for (pattern, mapping) in patterns where pattern.matches(address) && mapping.conditions.hold(of: facts) {
            consider(mapping, .address, rank: .pattern, length: pattern.length, at: 0, &best)
        }
        guard !people.isEmpty, address.isPersonal else { return }
        for (key, length) in [(address.handle, 1), ("*", 0)] {
            for mapping in people[key] ?? [] where mapping.conditions.hold(of: facts) {
                consider(mapping, .address, rank: .person, length: length, at: 0, &best)
            }
        }
    }

    private enum Rank: Int { case person, code, pattern, localPart, name, address }

    private struct Candidate {
        var mapping: VendorMapping
        var place: CategoryMatch.Place
        var order: (own: Int, conditions: Int, rank: Int, length: Int, start: Int)

        func precedes(_ other: Candidate) -> Bool {
            order == other.order ? mapping.id < other.mapping.id : order > other.order
        }
    }

    /// The first mapping that chooses a category, and the first alias.
    private struct Best {
        var category: Candidate?
        var payee: Candidate?
    }

    private func consider(
        _ mapping: VendorMapping, _ place: CategoryMatch.Place, rank: Rank, length: Int, at start: Int,
        _ best: inout Best
    ) {
        let order = (
            own: mapping.isUserDefined ? 1 : 0, conditions: mapping.conditions.count, rank: rank.rawValue,
            length: length, start: -start
        )
        let candidate = Candidate(mapping: mapping, place: place, order: order)
        if mapping.choosesCategory, best.category.map(candidate.precedes) ?? true { best.category = candidate }
        if mapping.payee != nil, best.payee.map(candidate.precedes) ?? true { best.payee = candidate }
    }
}
