import Ledger
import Testing

/// Keyword of a mapping "always for this merchant".
@Suite struct MerchantKeywordTests {
    @Test(
        arguments: [
            ("SWIGGY", nil, "swiggy"), ("SWIGGY LIMITED BANGALORE IN", nil, "swiggy"), ("RAZ*SWIGGY", nil, "swiggy"),
            ("PYTM*UBER 8812", nil, "uber"),
            ("WWW FLIPKART COM", nil, "flipkart"), ("LOTUS BOOKS 0412 PUNE MH", nil, "lotus books"),
            ("HOTEL BLUE ORCHID", nil, "hotel blue orchid"),
            ("MAPLE SOFTWARE PVT. LTD", nil, "maple software"), ("ANTHROPIC* CLAUDE SUB", nil, "anthropic claude sub"),
            ("UPI-399093374544-LOTUS", nil, "lotus"),
            ("7-ELEVEN MUMBAI", nil, "7 eleven"), ("DMART 0931 THANE", nil, "dmart"),
            ("AVENUE SUPERMARTS LI", nil, "avenue supermarts"),
            ("ASHA STORES", "asha.stores@ybl", "asha.stores@ybl"), (nil, "Swiggy.Stores@axb", "swiggy.stores@axb"),
            ("kite.shop@okexample", nil, "kite.shop@okexample"),
            ("LOTUS BOOKS", "78b6bf5462eb43b8b3251d87b31a243e@pingpay", "lotus books"),
            ("STORES", nil, nil), ("123456", nil, nil), ("", nil, nil), (nil, nil, nil), ("PVT LTD", nil, nil),
            ("A B", nil, nil), ("SENDER 88", nil, "sender"),
        ] as [(String?, String?, String?)])
    func best(_ merchant: String?, _ vpa: String?, _ keyword: String?) {
        let found = MerchantKeyword(merchant: merchant, vpa: vpa)
        #expect(found?.keyword == keyword)
        // An offered keyword matches its own merchant.
        guard let found else { return }
        let rules = CategoryRules([
            VendorMapping(id: 1, keyword: found.keyword, categoryID: 1, category: "C", kind: found.kind)
        ])
        #expect(rules.match(CategoryFacts(merchant: merchant, vpa: vpa)) != nil, "\(found.keyword)")
    }
}
