import ArgumentParser
import Chronology
import Review
import Store

/// Reads the value of an option that is a day.
func day(_ text: String?) throws -> CalendarDate? {
    do { return try text.map(FieldInput.date) } catch { throw ValidationError("\(error)") }
}

/// Reads the value of an option that is one of an enumeration's words.
///
/// - Parameter what: the enumeration with its article, for the error: `a type`.
func choice<Value: RawRepresentable & CaseIterable>(
    _ text: String, _ what: String, of type: Value.Type = Value.self
) throws -> Value where Value.RawValue == String {
    do { return try FieldInput.choice(text, what, of: type) } catch { throw ValidationError("\(error)") }
}

/// As ``choice(_:_:of:)``, or every value for `all`.
func choices<Value: RawRepresentable & CaseIterable & Hashable>(
    _ text: String, _ what: String, of type: Value.Type = Value.self
) throws -> Set<Value> where Value.RawValue == String {
    if text == "all" { return Set(Value.allCases) }
    do { return [try FieldInput.choice(text, what, of: type)] } catch { throw ValidationError("\(error), or all") }
}

/// `nil` for `all`.
func statuses(_ text: String) throws -> Set<TransactionStatus>? {
    text == "all" ? nil : try choices(text, "a status")
}
