/// Which domains belong to one organisation, without the public suffix list.
enum Domain {
    /// Suffixes of two labels under which anybody can register, as far as banks and mail providers stand there.
    ///
    /// A name missing here makes two organisations one only if a sender owns a sibling of the bank's domain under
    /// that very suffix. `bank.in` and `fin.in` are the Reserve Bank's registries for banks and finance companies.
    private static let publicSuffixes: Set<String> = [
        "co.in", "net.in", "org.in", "gen.in", "firm.in", "ind.in", "bank.in", "fin.in", "gov.in", "nic.in", "ac.in",
        "edu.in", "res.in", "mil.in", "com.in", "biz.in", "info.in", "pro.in", "io.in", "ai.in", "me.in", "business.in",
        "co.uk", "org.uk", "me.uk", "ltd.uk", "plc.uk", "net.uk", "gov.uk", "ac.uk", "com.au", "net.au", "org.au",
        "co.nz", "net.nz", "org.nz", "com.sg", "com.my", "com.hk", "com.cn", "com.br", "com.mx", "com.ar", "com.tr",
        "com.pk", "com.bd", "com.np", "com.lk", "com.ng", "com.gh", "com.ph", "com.vn", "com.sa", "com.eg", "co.za",
        "co.jp", "or.jp", "ne.jp", "co.kr", "co.th", "co.id", "co.il", "co.ke", "com.ua", "com.pl", "com.ru",
        "uk.com", "us.com", "eu.com", "in.net", "github.io", "blogspot.com", "appspot.com", "herokuapp.com",
        "web.app", "pages.dev", "workers.dev", "netlify.app", "vercel.app", "amazonaws.com", "azurewebsites.net",
        "cloudfront.net",
    ]

    /// Whether the two names are equal, or one stands below the other and that other is no public suffix.
    ///
    /// This is narrower than DMARC's relaxed alignment (RFC 7489 section 3.1): siblings are not aligned.
    static func areAligned(_ one: String, _ other: String) -> Bool {
        let one = normalized(one)
        let other = normalized(other)
        if one == other { return !one.isEmpty }
        guard isName(one), isName(other) else { return false }
        let (parent, child) = one.utf8.count < other.utf8.count ? (one, other) : (other, one)
        return child.hasSuffix("." + parent) && isRegistrable(parent)
    }

    /// The shortest name above or equal to `name` that one organisation owns; nil when there is none.
    static func organisation(of name: String) -> String? {
        let name = normalized(name)
        guard let last = name.utf8.lastIndex(of: ASCII.dot) else { return nil }
        guard let pair = suffix(of: name, before: last) else { return name.hasPrefix(".") ? nil : single(name) }
        if !publicSuffixes.contains(String(name[name.utf8.index(after: pair)...])) {
            return String(name[name.utf8.index(after: pair)...])
        }
        guard let triple = suffix(of: name, before: pair) else { return name }
        return String(name[name.utf8.index(after: triple)...])
    }

    /// The dot before the one at `index`.
    private static func suffix(of name: String, before index: String.Index) -> String.Index? {
        name.utf8[..<index].lastIndex(of: ASCII.dot)
    }

    /// A name of two labels.
    private static func single(_ name: String) -> String? {
        publicSuffixes.contains(name) ? nil : name
    }

    private static func isRegistrable(_ name: String) -> Bool {
        name.utf8.contains(ASCII.dot) && !publicSuffixes.contains(name)
    }

    private static func isName(_ name: String) -> Bool {
        // No empty label: neither a dot in front nor two together.
        var previous = ASCII.dot
        for byte in name.utf8 {
            guard
                byte.isLetter || byte.isDigit || byte == ASCII.hyphen || byte >= 0x80
                    || byte == ASCII.dot && previous != ASCII.dot
            else { return false }
            previous = byte
        }
        return !name.isEmpty
    }

    /// In lower case and without a final dot.
    static func normalized(_ name: String) -> String {
        var name = name
        if name.utf8.contains(where: { $0 != $0.lowercased || $0 >= 0x80 }) { name = name.lowercased() }
        if name.utf8.last == ASCII.dot { name.removeLast() }
        return name
    }
}
