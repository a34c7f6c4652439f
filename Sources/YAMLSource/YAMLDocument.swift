/// The values of one YAML text with their places, in three arrays. Tags are not kept: types are never guessed.
final class YAMLDocument: Sendable {
    enum Kind: Sendable { case scalar, list, mapping }

    struct Value: Sendable {
        var kind: Kind
        /// A scalar in literal or folded style, whose text begins on the line after its indicator.
        var isBlock = false
        /// From 1.
        var line: Int32
        /// From 1, in Unicode scalars.
        var column: Int32
        /// Of a scalar its bytes in `text`; of a list its items in `children`; of a mapping keys and values in turn.
        var range: Range<Int32> = 0..<0
    }

    let file: YAMLFile
    let values: [Value]
    /// Indices in `values`. An alias is the index of its anchor's value, so that a value can have several parents.
    let children: [Int32]
    /// UTF-8.
    let text: [UInt8]
    /// Index in `values`.
    let root: Int

    init(_ file: YAMLFile, _ values: [Value], _ children: [Int32], _ text: [UInt8], root: Int) {
        (self.file, self.values, self.children, self.text, self.root) = (file, values, children, text, root)
    }
}
