import Review

/// Reads the fields of a form and collects their problems as sentences.
struct FieldReader {
    var problems: [String] = []

    mutating func read<Value>(_ title: String, _ value: () throws(FieldInputError) -> Value) -> Value? {
        do { return try value() } catch {
            problems.append("\(title): \(error.form ?? error.problem).")
            return nil
        }
    }
}
