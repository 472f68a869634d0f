internal import BellwetherBase
public import BellwetherJSON

/// The transforms that predicates have beside the language's own: answers are texts, and JEXL converts nothing
/// (docs/reference/surveys.md#predicates). Triggers and targeting do not have them, as Nimbus has not.
public enum PredicateTransform: String, Sendable, CaseIterable {
    /// A number, or a text that is one.
    case number
    /// A day or a time: milliseconds since 1970.
    case date

    /// Null for what is no number, or no time.
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
