import Ledger
import Testing

@testable import Store

/// The SQL condition excludes no row that a mapping matches.
@Suite struct MappingPrefilterTests {
    static let merchants: [(String?, String?)] = [
        ("DOMINO'S PIZZA", nil), ("Domino\u{2019}s", nil), ("CAF\u{C9} NOIR, PUNE", nil), ("cafe-noir", nil),
        ("COLA", nil), ("OLA CABS", nil), (nil, "swiggy.stores@axb"), ("Swiggy", "paytmqr12ab@paytm"),
        ("swiggy.stores@axb", nil), (nil, "9812345678@okicici"), ("चाय घर", nil), ("A_B", "a_b@ybl"), (nil, nil),
        ("50% OFF", nil),
    ]
    static let mappings: [(String, VendorMapping.Kind)] = [
        ("dominos", .keyword), ("cafe noir", .keyword), ("ola", .keyword), ("swiggy stores", .keyword),
        ("swiggy", .keyword), ("चाय", .keyword), ("swiggy.stores@axb", .vpa),
        ("*@axb", .vpa), ("paytmqr*@*", .vpa), ("a_b@ybl", .vpa), ("*", .person), ("okicici", .person),
        ("off", .keyword),
    ]

    @Test(arguments: mappings) func noMailIsMissed(keyword: String, kind: VendorMapping.Kind) throws {
        let f = try Fixture()
        try f.store.categories.seed([CategorySeed(name: "Found")])
        var expected = 0
        let alone = CategoryRules([
            VendorMapping(id: 1, keyword: keyword, categoryID: 1, category: "Found", isUserDefined: true, kind: kind)
        ])
        for (index, (merchant, vpa)) in Self.merchants.enumerated() {
            var draft = draft(100 + Int64(index), merchant: merchant, reference: "60000000\(100 + index)")
            draft.vpa = vpa
            _ = try f.store.recording.record([mail(UInt32(index + 1), decision(.recorded, draft))])
            if alone.match(CategoryFacts(draft)) != nil { expected += 1 }
        }
        #expect(expected > 0, "a test of nothing")
        #expect(try f.store.mappings.preview(keyword: keyword, kind: kind, category: "Found").count == expected)
    }
}
