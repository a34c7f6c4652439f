import Codecs

/// What a browser needs to install the page as an app (W3C, Web Application Manifest).
enum WebManifest {
    /// Pages that the menu of the installed app opens.
    private static let shortcuts: [(text: String, path: String)] = [
        ("page.review", PageFrame.Section.review.path), ("page.new-transaction", "/app/transactions/new"),
        ("page.transactions", PageFrame.Section.transactions.path),
        ("page.statistics", PageFrame.Section.statistics.path),
    ]

    /// - Parameters:
    ///   - icon: the path of the icon as SVG.
    ///   - picture: the path of the icon as a PNG of ``pictureSide`` pixels, whose corners may be cut off.
    static func text(_ language: PageLanguage, icon: String, picture: String) -> String {
        let catalogue = TextCatalogue.of(language)
        func string(_ key: String) -> JSON { .string(catalogue.text(key) ?? key) }
        return JSON.object([
            ("name", .string("SpendWise")), ("short_name", .string("SpendWise")),
            ("description", string("frame.description")), ("lang", .string(language.rawValue)),
            ("id", .string("/")), ("start_url", .string("/")), ("scope", .string("/")),
            ("display", .string("standalone")), ("theme_color", .string("#0b6e5f")),
            ("background_color", .string("#f5f4ef")), ("categories", .array([.string("finance")])),
            (
                "icons",
                .array([
                    image(icon, type: "image/svg+xml", sizes: "any", purpose: "any"),
                    image(picture, type: "image/png", sizes: "\(pictureSide)x\(pictureSide)", purpose: "any maskable"),
                ])
            ),
            (
                "shortcuts",
                .array(shortcuts.map { .object([("name", string($0.text)), ("url", .string($0.path))]) })
            ),
        ]).text
    }

    static let pictureSide = 512

    private static func image(_ path: String, type: String, sizes: String, purpose: String) -> JSON {
        .object([
            ("src", .string(path)), ("type", .string(type)), ("sizes", .string(sizes)), ("purpose", .string(purpose)),
        ])
    }
}
