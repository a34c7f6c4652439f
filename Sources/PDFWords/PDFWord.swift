/// A word on a page. Lengths are points of 1/72 inch, from the page's left and top edge.
public struct PDFWord: Hashable, Sendable {
    public var text: String
    public var left: Double
    public var right: Double
    public var top: Double
    public var bottom: Double

    public init(_ text: String, left: Double, right: Double, top: Double, bottom: Double) {
        self.text = text
        (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
    }

    public var center: Double { (left + right) / 2 }
    public var middle: Double { (top + bottom) / 2 }
    public var height: Double { bottom - top }
}
