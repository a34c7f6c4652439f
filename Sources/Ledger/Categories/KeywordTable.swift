/// Finds keywords in normalised text: whole words, one or several, without creating strings.
struct WordTable: Sendable {
    private struct Entry: Sendable {
        var hash: UInt64
        var key: [UInt8]
        var mappings: [VendorMapping]
    }

    private var entries: [Entry] = []
    /// Indices of entries by the low bits of their hash, with linear probing; -1 is free. At most half full.
    private var slots: [Int32] = Array(repeating: -1, count: 16)
    /// Number of words of the longest key.
    private var longest = 0

    /// Adds a mapping; of two equal mappings of the same owner, the first stays.
    mutating func add(_ mapping: VendorMapping, under key: [UInt8]) {
        let hash = key.reduce(Self.seed, Self.step)
        if let index = place(of: key[...], hash) {
            guard
                !entries[index].mappings.contains(where: {
                    $0.isUserDefined == mapping.isUserDefined && $0.conditions == mapping.conditions
                        && ($0.payee == nil) == (mapping.payee == nil)
                })
            else { return }
            return entries[index].mappings.append(mapping)
        }
        entries.append(Entry(hash: hash, key: key, mappings: [mapping]))
        longest = max(longest, key.lazy.filter { $0 == 0x20 }.count + 1)
        if entries.count * 2 > slots.count {
            slots = Array(repeating: -1, count: slots.count * 2)
            for index in entries.indices { insertSlot(index) }
        } else {
            insertSlot(entries.count - 1)
        }
    }

    private mutating func insertSlot(_ index: Int) {
        var slot = Int(truncatingIfNeeded: entries[index].hash) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
    }

    /// - Parameter found: the mappings of a key, its length in bytes and where it begins.
    func each(in text: [UInt8], _ found: ([VendorMapping], Int, Int) -> Void) {
        guard !entries.isEmpty else { return }
        var start = 0
        while start < text.count {
            var hash = Self.seed
            var words = 0
            var index = start
            var next = text.count
            while true {
                if index == text.count || text[index] == 0x20 {
                    words += 1
                    if words == 1 { next = index + 1 }
                    if let entry = place(of: text[start..<index], hash) {
                        found(entries[entry].mappings, index - start, start)
                    }
                    if index == text.count || words == longest { break }
                }
                hash = Self.step(hash, text[index])
                index += 1
            }
            start = next
        }
    }

    private func place(of key: ArraySlice<UInt8>, _ hash: UInt64) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if entries[index].hash == hash, entries[index].key.elementsEqual(key) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// FNV-1a, 64 bits.
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325
    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
