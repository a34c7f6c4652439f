import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

@Suite struct ExplanationTests {
    @Test func explanationShowsTheStopAndTheExpectedText() throws {
        let found = try ProfileFolder.set().claim(mail("Rs.1,234.50 spent by SHOP ONE on 05-01-26 card 4321")).explain()
            .nearest
        let spend = try #require(found.first { $0.template == "bank/spend" })
        #expect(
            spend.step == .extract && spend.matched == "Rs.1,234.50 spent "
                && spend.stoppedAt?.hasPrefix("by SHOP ONE") == true, "\(spend)")
        #expect(
            spend.wanted?.hasPrefix("at") == true && spend.path.hasSuffix("bank/spend.yaml") && spend.line > 0,
            "\(spend)")
    }

    /// A pattern that skips any text follows a mail to its end, and so tells nothing about its form.
    @Test func nearestTemplateIsTheOneWithTheMostOfItsWords() throws {
        let skipping = #"""
            template: bank/skipping
            kind: transaction
            extract:
              body_pattern: 'Rs\.(?<amount>[\d,.]*\d) [\s\S]{0,400}? \b never \s printed'
              type: expense
              channel: card
            """#
        let claim = try ProfileFolder.set(["bank/skipping.yaml": skipping])
            .claim(mail("Rs.1,234.50 spent at SHOP ONE on 05-01-26 crad 4321\nThank you for banking with us."))
        let all = claim.explain()
        #expect(all.nearest.map(\.template) == ["bank/spend", "bank/skipping", "bank/otp"] && all.others == 0)
        let one = claim.explain(nearest: 1)
        #expect(one.nearest.map(\.template) == ["bank/spend"] && one.others == 2)
    }

    @Test func anExplanationNamesTheCommonPieceInsideWhichItStopped() throws {
        let source = "(?imx)(?(DEFINE)(?<one>a\n)(?<two> b \\d\n))\nx \\s (?&two) \\s end"
        func excerpt(_ piece: String) -> String? {
            source.range(of: piece).flatMap {
                PatternExcerpt.of(source, at: source.utf8.distance(from: source.startIndex, to: $0.lowerBound))
            }
        }
        #expect(
            excerpt("a\n") == "(?&one)" && excerpt("\\d\n") == "(?&two)"
                && excerpt("\\s (?&two)") == "\\s (?&two) \\s end" && excerpt("end") == "end")
        #expect(PatternExcerpt.of(source, at: 1000) == nil && PatternExcerpt.of("(?imx)abc", at: 6) == "abc")
    }
}
