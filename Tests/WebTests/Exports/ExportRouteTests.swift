import Access
import Codecs
import Exports
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Web

/// Exports through the API and the page.
@Suite struct ExportRouteTests {
    private static let rows =
        #"[{"parsed_amount":"1.10","parsed_date":"2026-01-01","transaction_type":"expense","parsed_vendor":"Tea"},"#
        + #"{"parsed_amount":"2.10","parsed_date":"2026-01-02","transaction_type":"income","parsed_vendor":"Shop <&>"}]"#

    @Test(arguments: ExportFormat.allCases) func everyFormatHasItsTypeAndName(_ format: ExportFormat) async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            #expect(try await client.ask(.post, "/transactions/bulk", json: Self.rows).status == .created)
            for path in ["/transactions/export", "/app/export/file"] {
                let file = try await client.ask(.get, "\(path)?format=\(format.rawValue)&q=shop")
                #expect(file.status == .ok && file.headers[.contentType] == format.mediaType, "\(path)")
                #expect(
                    file.headers[.contentDisposition]
                        == "attachment; filename=\"spendwise.\(format.fileExtension)\"")
                #expect(file.text.contains("2.10") || file.text.contains("210"), "\(file.text)")
                #expect(!file.text.contains("Tea"), "the filter selects one")
            }
        }
    }

    @Test func wrongParametersAreRefused() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            for query in ["format=xls", "bom=1", "frmat=ofx"] {
                #expect(
                    try await client.ask(.get, "/transactions/export?\(query)").status == .unprocessableContent,
                    "\(query)")
            }
            #expect(try await client.ask(.get, "/app/export/file?format=xls").status == .unprocessableContent)
            #expect(try await client.ask(.get, "/app/export/file?from=1,2,3").status == .unprocessableContent)
            let marked = try await client.ask(.get, "/transactions/export?format=csv-rich&bom=true")
            #expect(Array(marked.body.readableBytesView.prefix(3)) == [0xEF, 0xBB, 0xBF])
        }
    }

    @Test func theFormKeepsTheFilterOfTheList() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            #expect(try await client.ask(.post, "/transactions/bulk", json: Self.rows).status == .created)
            let list = try await client.ask(.get, "/app/transactions?q=shop&sort=amount&since=2026-01-01")
            #expect(list.text.contains("/app/export?q=shop&amp;since=2026-01-01"), "\(list.text)")
            let form = try await client.ask(.get, "/app/export?q=shop&since=2026-01-01")
            #expect(form.text.contains(#"<input type="hidden" name="q" value="shop">"#))
            #expect(form.text.contains("selects 1 transaction") && form.text.contains(#"value="2026-01-01""#))
        }
    }
}
