/// Statements in the layouts of Indian banks. Values are invented.
enum PDFLayouts {
    typealias Text = PDFFile.Text

    /// Withdrawals, deposits and balances; descriptions of several lines; the header again on the next page.
    static let columns: [[Text]] = {
        func header(_ y: Double) -> [Text] {
            [
                Text(32, y, "Date"), Text(130, y, "Narration"), Text(270, y, "Chq./Ref.No."), Text(340, y, "Value Dt"),
                Text(385, y, "Withdrawal Amt."), Text(455, y, "Deposit Amt."), Text(515, y, "Closing Balance"),
            ]
        }
        func row(_ y: Double, _ day: String, _ text: String, _ reference: String, _ amounts: [String]) -> [Text] {
            [Text(30, y, day), Text(68, y, text), Text(265, y, reference), Text(342, y, day)]
                + zip([443.0, 505, 572], amounts).filter { !$0.1.isEmpty }.map { PDFFile.right($0.0, y, $0.1) }
        }
        let first =
            [
                Text(30, 40, "INVENTED BANK LIMITED"), Text(30, 60, "MS ASHA EXAMPLE"), Text(30, 70, "12 FERN ROAD"),
                Text(330, 60, "Account No : 00000000004321"), Text(330, 70, "From : 01/01/2026 To : 31/01/2026"),
            ] + header(100)
            + row(
                115, "05/01/26", "UPI-CAFE MOON-MOON@BANK-0000000000-", "0000600512345678",
                ["1,250.50", "", "98,749.50"])
            + [Text(68, 125, "UPI PAYMENT 250"), Text(68, 135, "FOR COFFEE")]
            + row(148, "06/01/26", "NEFT CR-SALARY", "N006", ["", "1,00,000.00", "1,98,749.50"])
            + [Text(30, 780, "Page No .: 1"), Text(68, 790, "This is a computer generated statement.")]
        let second =
            [Text(30, 40, "INVENTED BANK LIMITED"), Text(30, 60, "MS ASHA EXAMPLE")] + header(100)
            + row(115, "07/01/26", "POS 4321XXXX BOOK SHOP", "R7", ["749.50", "", "1,98,000.00"])
            + [
                Text(30, 200, "STATEMENT SUMMARY :-"), Text(30, 212, "Opening Balance"), Text(130, 212, "Dr Count"),
                Text(200, 212, "Debits"), Text(300, 212, "Closing Bal"), PDFFile.right(80, 224, "1,00,000.00"),
                PDFFile.right(150, 224, "2"), PDFFile.right(230, 224, "2,000.00"),
                PDFFile.right(350, 224, "1,98,000.00"),
            ]
        return [first, second]
    }()

    /// A heading in two lines, a number before each row, the date in the middle of its description.
    static let stackedHeading: [[Text]] = {
        func row(_ y: Double, _ number: String, _ day: String, _ lines: [String], _ amounts: [String]) -> [Text] {
            [Text(24, y, number), Text(50, y, day), Text(110, y, day), Text(175, y, "-")]
                + lines.enumerated().map { Text(225, y + Double($0.offset - 1) * 9, $0.element) }
                + zip([445.0, 505, 570], amounts).map { PDFFile.right($0.0, y, $0.1) }
        }
        return [
            [
                Text(200, 30, "Statement of Transactions in Savings Account"), Text(24, 60, "S No."),
                Text(50, 60, "Value Date"), Text(110, 55, "Transaction"), Text(125, 64, "Date"),
                Text(165, 60, "Cheque Number"), Text(240, 60, "Transaction Remarks"), Text(395, 55, "Withdrawal"),
                Text(395, 64, "Amount (INR )"), Text(455, 55, "Deposit"), Text(455, 64, "Amount (INR )"),
                Text(530, 60, "Balance (INR )"),
            ]
                + row(
                    90, "1", "05/01/2026", ["UPI/600512345678/Paid", "to FERN/fern@bank", "/INVENTED BANK"],
                    ["250.00", "0.00", "9,750.00"])
                + row(
                    125, "2", "06/01/2026", ["NEFT-N006-", "SALARY JANUARY", "-EXAMPLE LTD"],
                    ["0.00", "5,000.00", "14,750.00"])
        ]
    }()

    /// Dates in words, and descriptions that touch the next column's edge.
    static let wordyDates: [[Text]] = {
        func row(_ y: Double, _ day: String, _ text: String, _ reference: String, _ amounts: [String]) -> [Text] {
            [Text(30, y, day), Text(85, y, day), Text(140, y, text), Text(290, y, reference)]
                + zip([435.0, 500, 570], amounts).filter { !$0.1.isEmpty }.map { PDFFile.right($0.0, y, $0.1) }
        }
        return [
            [
                Text(30, 30, "Account Name : Ms. ASHA EXAMPLE"), Text(30, 42, "Balance as on 1 Jan 2026 : 10,000.00"),
                Text(30, 80, "Txn Date"), Text(85, 80, "Value"), Text(85, 89, "Date"), Text(140, 80, "Description"),
                Text(290, 80, "Ref No./Cheque"), Text(290, 89, "No."), Text(410, 80, "Debit"), Text(475, 80, "Credit"),
                Text(540, 80, "Balance"),
            ]
                + row(105, "5 Jan 2026", "TO TRANSFER-UPI/DR/6005/FERN", "TRANSFER TO 400", ["250.00", "", "9,750.00"])
                + [Text(140, 114, "/INVB/fern@bank"), Text(290, 114, "0001")]
                + row(127, "6 Jan 2026", "BY SALARY", "N006", ["", "5,000.00", "14,750.00"])
        ]
    }()

    /// One column of amounts with (Dr) or (Cr).
    static let signedAmounts: [[Text]] = {
        func row(_ y: Double, _ day: String, _ text: String, _ amount: String, _ balance: String) -> [Text] {
            [
                Text(30, y, day), Text(90, y, text), Text(280, y, "UPI-6005"), PDFFile.right(470, y, amount),
                PDFFile.right(565, y, balance),
            ]
        }
        return [
            [
                Text(30, 80, "Date"), Text(90, 80, "Narration"), Text(280, 80, "Chq/Ref No"),
                Text(375, 80, "Withdrawal (Dr)/"), Text(375, 89, "Deposit (Cr)"), Text(520, 80, "Balance"),
            ]
                + row(105, "05-01-2026", "UPI/CAFE MOON", "250.00(Dr)", "9,750.00(Cr)")
                + row(117, "06-01-2026", "NEFT SALARY", "5,000.00(Cr)", "14,750.00(Cr)")
                + [Text(90, 126, "EXAMPLE LTD")]
        ]
    }()

    /// Opening and closing balance as rows, a column of the branch.
    static let balanceRows: [[Text]] = {
        func row(_ y: Double, _ day: String, _ text: String, _ amounts: [String]) -> [Text] {
            [Text(30, y, day), Text(150, y, text), Text(555, y, day.isEmpty ? "" : "123")]
                + zip([400.0, 465, 540], amounts).filter { !$0.1.isEmpty }.map { PDFFile.right($0.0, y, $0.1) }
        }
        return [
            [
                Text(30, 80, "Tran Date"), Text(95, 80, "Chq No"), Text(150, 80, "Particulars"), Text(375, 80, "Debit"),
                Text(440, 80, "Credit"), Text(505, 80, "Balance"), Text(553, 80, "Init.Br"),
            ]
                + row(95, "", "OPENING BALANCE", ["", "", "10,000.00"])
                + row(107, "05-01-2026", "UPI/P2M/FERN", ["250.00", "", "9,750.00"])
                + row(119, "06-01-2026", "SALARY", ["", "5,000.00", "14,750.00"])
                + row(131, "", "TRANSACTION TOTAL", ["250.00", "5,000.00", ""])
                + row(143, "", "CLOSING BALANCE", ["", "", "14,750.00"])
        ]
    }()

    /// A card: purchases without a sign, payments with Cr, dues above the table.
    static let card: [[Text]] = {
        func row(_ y: Double, _ day: String, _ text: String, _ amount: String) -> [Text] {
            [Text(30, y, day), Text(110, y, text), PDFFile.right(560, y, amount)]
        }
        return [
            [
                Text(30, 40, "Opening Balance"), PDFFile.right(200, 40, "2,000.00"), Text(30, 52, "Total Dues"),
                PDFFile.right(200, 52, "1,349.50"), Text(30, 90, "Date"), Text(110, 90, "Transaction Description"),
                Text(500, 90, "Amount (in Rs.)"), Text(30, 102, "Domestic Transactions"),
            ]
                + row(114, "05/01/2026", "CAFE MOON BENGALURU", "1,250.50")
                + row(126, "06/01/2026", "PAYMENT RECEIVED", "2,000.00 Cr")
                + row(138, "07/01/2026 10:15:20", "BOOK SHOP", "99.00"),
            [Text(30, 40, "Important: a charge of 250.00 is made for late payment.")],
        ]
    }()

    /// A card with D and C, on which dues are printed as positive figures.
    static let lettersForSigns: [[Text]] = {
        func row(_ y: Double, _ day: String, _ text: String, _ amount: String) -> [Text] {
            [Text(30, y, day), Text(110, y, text), PDFFile.right(560, y, amount)]
        }
        return [
            [
                Text(30, 40, "Previous Balance"), PDFFile.right(200, 40, "2,000.00"), Text(30, 52, "Total Outstanding"),
                PDFFile.right(200, 52, "1,349.50"), Text(30, 90, "Date"), Text(110, 90, "Transaction Details"),
                Text(510, 90, "Amount ( Rs. )"),
            ]
                + row(114, "05 Jan 26", "CAFE MOON", "1,250.50 D") + row(126, "06 Jan 26", "PAYMENT", "2,000.00 C")
                + row(138, "07 Jan 26", "BOOK SHOP", "99.00 D")
        ]
    }()
}
