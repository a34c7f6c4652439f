public import Chronology
import Ledger

/// Reads a printed time: `16:03`, `16:03:50`, `4:03 PM`, `04:03:50 a.m.`, `12:05:01 IST`, `1603 hrs` is not one.
public enum TimeText {
    public struct Reading: Sendable, Equatable {
        public var time: TimeOfDay
        /// No am or pm was printed and the hour may be of a 12-hour clock (0...12).
        public var mayBeTwelveHour: Bool
    }

    public static func read(_ text: some Collection<UInt8>) -> Reading? {
        var numbers = InlineArray<3, Int>(repeating: 0)
        var count = 0
        var inNumber = false
        var letter: UInt8?
        for byte in text {
            switch byte {
            case 0x30...0x39:
                guard letter == nil else { continue }
                if inNumber {
                    guard numbers[count - 1] < 100 else { return nil }
                    numbers[count - 1] = numbers[count - 1] * 10 + Int(byte - 0x30)
                } else {
                    guard count < 3 else { return nil }
                    numbers[count] = Int(byte - 0x30)
                    count += 1
                }
                inNumber = true
            case 0x41...0x5A, 0x61...0x7A:
                inNumber = false
                if letter == nil { letter = byte | 0x20 }
            default: inNumber = false
            }
        }
        guard count >= 2 else { return nil }
        var hour = numbers[0]
        var marked = false
        if letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") {
            // "16:03 PM" is printed by some banks: the 24-hour reading is the only possible one.
            if hour <= 12 { hour = hour % 12 + (letter == UInt8(ascii: "p") ? 12 : 0) }
            marked = true
        }
        guard let time = TimeOfDay(hour: hour, minute: numbers[1], second: count == 3 ? numbers[2] : 0) else {
            return nil
        }
        return Reading(time: time, mayBeTwelveHour: !marked && hour <= 12)
    }
}
