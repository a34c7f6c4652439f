/// format=flowed, RFC 3676 section 4: paragraphs in lines that end with a space.
enum FlowedText {
    static func unwrap(_ text: [UInt8], deletesSpace: Bool) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(text.count)
        var flowsAtDepth: Int?
        for line in text.split(separator: ASCII.lf, omittingEmptySubsequences: false) {
            var content = line.last == ASCII.cr ? line.dropLast() : line
            let depth = content.prefix { $0 == UInt8(ascii: ">") }.count
            content = content.dropFirst(depth)
            if content.first == ASCII.space { content = content.dropFirst() }
            if flowsAtDepth == depth {
                if deletesSpace { joined.removeLast() }
            } else {
                if !joined.isEmpty { joined.append(ASCII.lf) }
                for _ in 0..<min(depth, 1) { joined.append(UInt8(ascii: ">")) }
                if depth > 0 { joined.append(ASCII.space) }
            }
            joined += content
            // The signature separator ends with a space but is a fixed line (section 4.3).
            let isSignature = content.elementsEqual("-- ".utf8)
            flowsAtDepth = content.last == ASCII.space && !isSignature ? depth : nil
        }
        return joined
    }
}
