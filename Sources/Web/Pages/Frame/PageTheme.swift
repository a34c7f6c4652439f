/// Whether the page has light or dark colours.
enum PageTheme: String, CaseIterable, PageChoice {
    /// As the device is set (Media Queries Level 5, `prefers-color-scheme`).
    case device
    case light
    case dark

    static let cookieName = "spendwise-theme"

    /// The theme of the request that this task answers, as ``PageLanguage/current``.
    @TaskLocal static var current = PageTheme.device

    /// The value of the attribute `data-theme` of the page, which the style sheet reads; `nil` for none.
    var attribute: String? { self == .device ? nil : rawValue }

    var name: String { PageText.of("theme.\(rawValue)") }
}
