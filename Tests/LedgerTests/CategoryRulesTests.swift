import Ledger
import Testing

@Suite struct CategoryRulesTests {
    @Test(arguments: [
        ("CAFÉ  NOIR, PUNE", "cafe noir pune"), ("Domino's", "dominos"), ("DOMINO’S", "dominos"),
        ("PAYTM*UBER-INDIA", "paytm uber india"),
        ("", ""), (" *- ", ""),
        ("7-ELEVEN", "7 eleven"), ("Ångström", "angstrom"), ("Ñandú Ø Œuvre ß", "nandu o ouvre s"),
        ("Łódź Żabka Ğ ž ſ", "lodz zabka g z s"),
        ("e\u{301}clair", "eclair"), ("3×4 ÷ 2", "3 4 2"), ("चाय-घर", "चाय घर"), ("ΑΒΓ", "αβγ"), ("a\u{0}b", "a b"),
        ("x₹y", "x y"),
        ("😀 tea", "tea"),
    ])
    func normalizes(_ text: String, _ expected: String) { #expect(CategoryRules.normalized(text) == expected) }

    /// Every letter of Latin-1 Supplement and Latin Extended-A gives its ASCII base letter.
    @Test func latin() {
        let groups: [(Character, String)] = [
            ("a", "ÀÁÂÃÄÅàáâãäåĀāĂăĄą"), ("c", "ÇçĆćĈĉĊċČč"), ("d", "ĎďĐđ"), ("e", "ÈÉÊËèéêëĒēĔĕĖėĘęĚě"),
            ("g", "ĜĝĞğĠġĢģ"), ("h", "ĤĥĦħ"),
            ("i", "ÌÍÎÏìíîïĨĩĪīĬĭĮįİı"),
            ("j", "Ĵĵ"), ("k", "Ķķ"), ("l", "ĹĺĻļĽľĿŀŁł"), ("n", "ÑñŃńŅņŇň"), ("o", "ÒÓÔÕÖØòóôõöøŌōŎŏŐő"),
            ("r", "ŔŕŖŗŘř"),
            ("s", "ŚśŜŝŞşŠšſ"), ("t", "ŢţŤťŦŧ"),
            ("u", "ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲų"), ("w", "Ŵŵ"), ("y", "ÝýÿŶŷŸ"), ("z", "ŹźŻżŽž"),
        ]
        for (base, letters) in groups {
            for letter in letters { #expect(CategoryRules.normalized(String(letter)) == String(base), "\(letter)") }
        }
    }

    static let coffee: VendorMapping = {
        var mapping = VendorMapping(id: 2, keyword: "Café Noir", categoryID: 2, category: "Food")
        mapping.subcategoryID = 5
        mapping.subcategory = "Coffee"
        return mapping
    }()

    static let rules = CategoryRules([
        VendorMapping(id: 1, keyword: "ola", categoryID: 1, category: "Transport"),
        coffee,
        VendorMapping(id: 3, keyword: "amazon", categoryID: 3, category: "Shopping"),
        VendorMapping(id: 4, keyword: "amazon prime video", categoryID: 4, category: "Entertainment"),
        VendorMapping(id: 5, keyword: "prime", categoryID: 5, category: "Mine", isUserDefined: true),
        VendorMapping(id: 6, keyword: "tea", categoryID: 6, category: "Shipped tea"),
        VendorMapping(id: 7, keyword: "TEA!", categoryID: 7, category: "My tea", isUserDefined: true),
        VendorMapping(id: 8, keyword: "one two three four five six seven", categoryID: 8, category: "Too long"),
        VendorMapping(id: 9, keyword: " - ", categoryID: 9, category: "Empty"),
        VendorMapping(id: 10, keyword: "aaa", categoryID: 10, category: "A"),
        VendorMapping(id: 11, keyword: "bbb", categoryID: 11, category: "B"),
        VendorMapping(id: 12, keyword: "aaa", categoryID: 12, category: "Later"),
    ])

    @Test(
        arguments: [
            ("OLA CABS", 1), ("Cola", nil), ("olala", nil), ("COCA-COLA", nil), ("ola.money@bank", 1), ("CAFE NOIR", 2),
            ("cafe  noir, pune", 2), ("cafe pune noir", nil),
            ("AMAZON PAY", 3), ("AMAZON PRIME VIDEO", 5), ("AMAZON VIDEO PRIME", 5), ("tea", 7), ("bbb aaa", 11),
            ("aaa bbb", 10),
            ("", nil), ("***", nil),
            ("one two three four five six seven", nil), ("ola amazon", 3), ("amazon ola", 3),
        ] as [(String, Int64?)])
    func matches(_ merchant: String, _ id: Int64?) { #expect(Self.rules.match(merchant)?.mapping.id == id) }

    @Test func userDefinedWinsInAnyOrder() {
        let mine = VendorMapping(id: 1, keyword: "tea", categoryID: 1, category: "Mine", isUserDefined: true)
        let shipped = VendorMapping(id: 2, keyword: "tea", categoryID: 2, category: "Shipped")
        for list in [[mine, shipped], [shipped, mine]] { #expect(CategoryRules(list).match("tea")?.mapping.id == 1) }
    }

    @Test func reasonIsASentence() {
        #expect(Self.rules.match("cafe noir")?.why == "shipped keyword \"Café Noir\" -> Food / Coffee")
        #expect(Self.rules.match("prime")?.why == "your keyword \"prime\" -> Mine")
        #expect(CategoryRules.empty.match("anything") == nil)
    }
}
