public import Foundation
public import Profiles

/// The profiles that SpendWise ships, and their samples.
public enum ShippedProfiles {
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "parsers")

    public static let all = Result { try ProfileSet(directories: [folder.path]) }

    public struct Item {
        public var bank: Bank
        public var template: Template
        public var sample: Sample
    }

    /// Every sample that a template claims.
    public static func items() throws -> [Item] {
        try all.get().banks.flatMap { bank in
            bank.templates.flatMap { template in
                template.samples.compactMap { sample in
                    if case .none = sample.expectation {
                        nil
                    } else {
                        Item(bank: bank, template: template, sample: sample)
                    }
                }
            }
        }
    }
}
