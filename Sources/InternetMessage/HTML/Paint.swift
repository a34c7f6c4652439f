/// The colours that an element itself declares, and whether other declarations make its text doubtful.
struct DeclaredPaint {
    var color = InlineStyle.Declared<HTMLColor>()
    var background = InlineStyle.Declared<HTMLColor>()
    var hasPicture = InlineStyle.Declared<Bool>()
    /// True if a rule of a style sheet may hide the element, or it is drawn at another place.
    var isDoubtful = false

    var isEmpty: Bool {
        color.value == nil && background.value == nil && hasPicture.value != true && !isDoubtful
    }

    /// Adds declarations of higher specificity.
    mutating func add(_ style: InlineStyle) {
        color.set(style.color)
        background.set(style.background)
        hasPicture.set(style.hasPicture)
        if style.isDoubtful { isDoubtful = true }
    }

    mutating func add(_ rule: DeclaredPaint) {
        color.set(rule.color)
        background.set(rule.background)
        hasPicture.set(rule.hasPicture)
        if rule.isDoubtful { isDoubtful = true }
    }

    /// Adds a rule of the same specificity. If both give a colour, their order would decide, which is not kept.
    mutating func add(beside rule: DeclaredPaint) {
        let (isColorTwice, isBackgroundTwice) = (
            color.value != nil && rule.color.value != nil && color.value != rule.color.value,
            background.value != nil && rule.background.value != nil && background.value != rule.background.value
        )
        add(rule)
        if isColorTwice { color.set(.unknown, important: true) }
        if isBackgroundTwice { background.set(.unknown, important: true) }
    }
}

/// The computed colour of text and of what is behind it.
///
/// The background is that of the nearest ancestor with an opaque one; the canvas is white.
struct Paint: Equatable {
    private(set) var text = HTMLColor.black
    private(set) var background = HTMLColor.white
    /// True if a picture, a gradient or a partly transparent colour covers `background`.
    private(set) var isCovered = false

    /// The contrast of the text.
    enum Contrast {
        case clear
        /// A reader may not see the text.
        case doubtful
        /// A reader does not see the text.
        case none
    }

    /// Largest difference of a channel, of 255, at which text counts as invisible: #eee on white differs by 17 and can
    /// be read on a good screen.
    static let invisible = 16
    /// The same at which text is doubtful. The small print of banks is #ccc, which differs by 51 from white.
    static let doubtful = 40

    var contrast: Contrast {
        if text == .unknown { return .doubtful }
        let difference = text == .transparent ? 0 : text.distance(to: background)
        if difference > Self.doubtful { return .clear }
        return difference > Self.invisible || isCovered ? .doubtful : .none
    }

    func with(_ declared: DeclaredPaint) -> Paint {
        var paint = self
        if let color = declared.color.value { paint.text = color }
        if let color = declared.background.value {
            if color.isOpaque {
                (paint.background, paint.isCovered) = (color, false)
            } else if color == .unknown {
                paint.isCovered = true
            }
        }
        if declared.hasPicture.value == true { paint.isCovered = true }
        return paint
    }
}
