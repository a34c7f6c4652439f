@testable import Profiles

extension ProfileSet {
    /// These banks, and the program's own wording.
    init(only banks: [Bank]) throws {
        self.init(banks: banks, common: CommonReader(try GenericReader(WordingFiles(), words: Vocabulary())))
    }
}
