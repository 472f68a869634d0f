internal import BellwetherBase
public import BellwetherJSON

/// The transforms that predicates have in addition to the language's own, because answers are texts and JEXL converts
/// no types (docs/reference/surveys.md#predicates). Triggers and targeting do not have them, as in Nimbus.
public enum PredicateTransform: String, Sendable, CaseIterable {
    /// Converts a number, or a text that is a number.
    case number
    /// Converts a day or a time to milliseconds since 1970.
    case date

    /// The converted value; null if the subject is no number, or no time.
    public func value(of subject: JSONValue) -> JSONValue {
        switch self {
        case .number: return subject.numericValue.map { .number($0) } ?? .null
        case .date:
            guard let text = subject.string, let time = CalendarDay(text)?.start ?? Timestamp(rfc3339: text) else {
                return .null
            }
            return .integer(time.milliseconds)
        }
    }
}
