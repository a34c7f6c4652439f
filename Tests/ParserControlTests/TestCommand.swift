@testable import ParserControl

/// `parserctl test`; the type's name is also used by the testing library.
typealias TestCommand = Test
