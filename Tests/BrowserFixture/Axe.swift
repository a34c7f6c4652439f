import Foundation

/// The accessibility checker axe-core, which is not part of the repository: `axe.min.js` of any release, at the path in
/// `SPENDWISE_AXE` or below `.build`.
public enum Axe {
    public static let source: String? = {
        let own = URL(filePath: #filePath).appending(path: "../../../.build/axe.min.js").standardized.path
        return try? String(
            contentsOfFile: ProcessInfo.processInfo.environment["SPENDWISE_AXE"] ?? own, encoding: .utf8)
    }()
}
