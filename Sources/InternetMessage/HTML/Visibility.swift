/// The visibility of a character that is not ASCII.
///
/// A name with an invisible character looks like another name but matches no pattern, so invisible characters are
/// removed: Default_Ignorable_Code_Point (Unicode 16, section 5.21), the interlinear annotation characters and the C1
/// controls. Spaces have the property White_Space.
enum Visibility {
    case visible, space, invisible

    @inline(__always)
    init(_ scalar: UInt32) {
        // The common range: Latin letters with diacritics, Indic scripts.
        if scalar > 0xAD, scalar < 0x1680 {
            self = Self.isIgnorable1(scalar) ? .invisible : .visible
        } else {
            self = Self.classify(scalar)
        }
    }

    private static func isIgnorable1(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x034F, 0x061C, 0x115F, 0x1160: true
        default: false
        }
    }

    private static func classify(_ scalar: UInt32) -> Visibility {
        switch scalar {
        case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: .space
        case 0x80...0x9F, 0xAD, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F,
            0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
            0xE0000...0xE0FFF:
            .invisible
        default: .visible
        }
    }
}
