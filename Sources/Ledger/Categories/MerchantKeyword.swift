/// Keyword of a mapping "always for this merchant".
public struct MerchantKeyword: Hashable, Sendable {
    public let kind: VendorMapping.Kind
    public let keyword: String

    /// Derives the best keyword from a transaction: its UPI address if it has one, otherwise its merchant's name
    /// without the parts that vary between payments. `nil` if the rest would match other merchants, too.
    public init?(merchant: String?, vpa: String?) {
        if let address = (vpa ?? merchant).flatMap(UPIAddress.init) ?? merchant.flatMap(UPIAddress.init),
            let pattern = Self.pattern(address)
        {
            (kind, keyword) = (.vpa, pattern)
            return
        }
        guard let name = merchant.flatMap(Self.name) else { return nil }
        (kind, keyword) = (.keyword, name)
    }

    /// Pattern for a merchant's address; `nil` for an address made for one payment: hexadecimal digits or a counter
    /// after the name of a service.
    private static func pattern(_ address: UPIAddress) -> String? {
        let letters = address.local.utf8
        if letters.count >= 24, letters.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) {
            return nil
        }
        return "\(address.local)@\(address.handle)"
    }

    /// The name without the payment service before it, and without terminal, reference, company form, town and country
    /// after it.
    static func name(_ merchant: String) -> String? {
        var words = CategoryRules.normalized(prefixCut(merchant)).split(separator: " ").map(String.init)
        while words.count > 1, let first = words.first,
            leading.contains(first) || isNumber(first) && first.utf8.count > 4
        { words.removeFirst() }
        // The name ends at the number of a terminal, an order or a mandate: at least three digits, or a long mixture of
        // letters and digits.
        if let number = words.dropFirst().firstIndex(where: isNumber) { words.removeSubrange(number...) }
        while words.count > 1, let last = words.last, trailing.contains(last) || last.utf8.count == 1 {
            words.removeLast()
        }
        let kept = words.prefix(3)
        let text = kept.joined(separator: " ")
        guard text.utf8.count >= 3,
            kept.contains(where: {
                $0.utf8.count >= 3 && !everyday.contains($0) && !trailing.contains($0) && !isNumber($0)
            })
        else { return nil }
        return text
    }

    /// The merchant without a payment service's name before the star: `RAZ*SWIGGY`, `PYTM*SHOP`. In `ANTHROPIC* CLAUDE`
    /// the name before the star is the merchant's.
    private static func prefixCut(_ merchant: String) -> String {
        guard let star = merchant.firstIndex(of: "*") else { return merchant }
        let before = CategoryRules.normalized(String(merchant[..<star]))
        let after = merchant[merchant.index(after: star)...]
        return services.contains(before) && after.contains(where: \.isLetter) ? String(after) : merchant
    }

    private static func isNumber(_ word: String) -> Bool {
        let digits = word.utf8.lazy.filter { (0x30...0x39).contains($0) }.count
        return digits >= 3 || digits > 0 && digits == word.utf8.count
    }

    private static let services: Set<String> = [
        "raz", "razorpay", "rzp", "pytm", "paytm", "ptm", "pyu", "payu", "cas", "cashfree", "cf", "iin", "vps", "inst",
        "ach", "bd", "billdesk", "ccavenue", "ccav", "eb",
        "easebuzz", "sq", "pp", "paypal", "stripe", "sumup", "juspay", "phonepe", "php", "ppsl", "in",
    ]
    private static let leading: Set<String> = [
        "www", "m", "ms", "upi", "pos", "ecom", "the", "to", "by", "paytm", "razorpay", "payu", "pg", "in", "mr", "mrs",
        "shri", "smt",
    ]
    /// Company forms, countries, and the towns that card networks print after a name.
    private static let trailing: Set<String> = [
        "ltd", "limited", "limite", "li", "lim", "pvt", "private", "pri", "priva", "privat", "p", "llp", "inc", "corp",
        "co", "com", "in", "ind", "india", "online", "web", "app", "payments", "services", "www",
        "mumbai", "mum", "navi", "thane", "pune", "delhi", "new", "newdelhi", "noida", "gurgaon", "gurugram",
        "ghaziabad", "faridabad", "bangalore", "bengaluru", "blr", "banglore", "chennai", "chen",
        "hyderabad", "hyd", "secunderabad", "kolkata", "ahmedabad", "surat", "vadodara", "jaipur", "lucknow", "kanpur",
        "nagpur", "indore", "bhopal", "patna", "kochi", "cochin", "ernakulam",
        "trivandrum", "thiruvananthapuram", "coimbatore", "madurai", "mysore", "mysuru", "mangalore", "visakhapatnam",
        "vijayawada", "chandigarh", "mohali", "ludhiana", "amritsar", "dehradun", "guwahati",
        "bhubaneswar", "ranchi", "raipur", "goa", "panaji", "nashik", "rajkot", "agra", "varanasi", "us", "usa", "sg",
        "gb", "ie", "nl", "singapore", "karnataka", "maharashtra", "haryana", "telangana",
        "kerala", "tamil", "nadu", "gujarat",
    ]
    /// Words that alone match too many merchants.
    private static let everyday: Set<String> = [
        "store", "stores", "shop", "traders", "enterprises", "enterprise", "retail", "services", "payment", "payments",
        "transfer", "upi", "bank", "india", "online", "purchase", "merchant", "card",
        "account", "other", "kumar", "singh", "sharma", "credit", "debit", "neft", "imps", "self", "cash", "the", "and",
    ]
}
