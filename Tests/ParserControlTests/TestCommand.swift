@testable import ParserControl

/// `parserctl test`; its own name is also one of the testing library's.
typealias TestCommand = Test
