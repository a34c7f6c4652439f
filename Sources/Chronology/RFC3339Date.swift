extension UnixTime {
    /// Reads any form of RFC 3339, and one without a zone, which means UTC.
    ///
    /// A fraction of a second is dropped. Instants before 1970 become its beginning, those after 2199 its end: a client
    /// may ask for everything since the year 1.
    public init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
            guard rest.count >= digits, rest.prefix(digits).allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            defer { rest = rest.dropFirst(digits) }
            return Int(String(decoding: rest.prefix(digits), as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
        }
        func sign(_ marks: String) -> UInt8? {
            guard let byte = rest.first, marks.utf8.contains(byte) else { return nil }
            rest = rest.dropFirst()
            return byte
        }
        guard text.utf8.count <= 60, let year = number(4, 0...9999), sign("-") != nil, let month = number(2, 1...12),
            sign("-") != nil, let day = number(2, 1...31),
            sign("Tt ") != nil, let hour = number(2, 0...23), sign(":") != nil, let minute = number(2, 0...59),
            sign(":") != nil, let second = number(2, 0...60)
        else { return nil }
        if sign(".") != nil {
            guard number(1, 0...9) != nil else { return nil }
            rest = rest.drop { (0x30...0x39).contains($0) }
        }
        var offset = 0
        if let mark = sign("+-") {
            guard let hours = number(2, 0...23), sign(":") != nil, let minutes = number(2, 0...59) else { return nil }
            offset = (mark == UInt8(ascii: "+") ? 1 : -1) * (hours * 3600 + minutes * 60)
        } else {
            _ = sign("Zz")
        }
        guard rest.isEmpty else { return nil }
        // A leap year replaces years outside of the ledger's calendar.
        guard let date = CalendarDate(year: (1970...2199).contains(year) ? year : 2000, month: month, day: day) else {
            return nil
        }
        if year < 1970 {
            self = .epoch
            return
        }
        if year > 2199 {
            self.init(seconds: 7_258_118_399)
            return
        }
        self = max(.epoch, UnixTime(date) + Int64(hour * 3600 + minute * 60 + second - offset))
    }
}
