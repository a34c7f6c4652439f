import Foundation
import InternetMessage
import Ledger

@testable import Profiles

/// The profiles that SpendWise comes with, and their samples as mails.
enum ShippedProfiles {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "parsers")

    static let all = Result { try ProfileSet(directories: [folder.path]) }

    struct Item {
        var bank: Bank
        var template: Template
        var sample: Sample
    }

    /// Every sample that a template claims.
    static func items() throws -> [Item] {
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
