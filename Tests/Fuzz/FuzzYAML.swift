import YAMLSource

/// Reads the input as YAML. A value must be the same after it is written on one line and read again, and a change of
/// one key must leave a file that can be read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let file = YAMLFile(path: "fuzz.yaml", bytes: Array(UnsafeBufferPointer(start: start, count: count)))
    do throws(SourceError) {
        let value = try file.root().value()
        guard case .fields(let pairs) = value else { return 0 }
        let line = YAMLFile(path: "line.yaml", bytes: Array(value.flow.utf8))
        let again = try line.root().value()
        precondition(again == value)
        guard let key = pairs.first?.key else { return 0 }
        _ = file.omitting(key)
        if let changed = try? file.setting("added", of: [], to: .text("yes")) {
            guard case .fields(let now) = try changed.root().value() else { preconditionFailure("no longer a mapping") }
            precondition(now.contains { $0.key == "added" && $0.value == .text("yes") })
        }
    } catch {
        let text = "\(error)"
        precondition(!text.isEmpty && text.utf8.count < 1 << 20)
    }
    return 0
}
