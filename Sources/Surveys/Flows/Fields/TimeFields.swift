internal import BellwetherJSON

/// A field whose answer is a text in one format, without a time zone, between two bounds.
protocol TimeTextField: FieldType {
    /// The error text for a text in another format.
    static var refusal: FlowSentence { get }
    static func isAnswer(_ text: String) -> Bool
    var bounds: TimeBounds { get }
}

extension TimeTextField {
    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        guard Self.isAnswer(text) else { return check.fault(.pattern, Self.refusal) }
        bounds.check(text, &check)
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

/// The type `date`: a day of the calendar.
struct DateField: TimeTextField {
    static let refusal = FlowSentence.date
    let bounds: TimeBounds

    init(_ keys: FieldKeys) { bounds = TimeBounds(keys, Self.isAnswer) }

    static func isAnswer(_ text: String) -> Bool { CalendarDay(text) != nil }
    func marks(of answer: JSONValue) -> [AnswerMark] { AnswerMark.month(answer).map { [.month($0)] } ?? [] }
}

/// The type `time`: `HH:mm`.
struct TimeField: TimeTextField {
    static let refusal = FlowSentence.time
    let bounds: TimeBounds

    init(_ keys: FieldKeys) { bounds = TimeBounds(keys, Self.isAnswer) }

    static func isAnswer(_ text: String) -> Bool { text.isTimeOfDay }
    func marks(of answer: JSONValue) -> [AnswerMark] { answer.string.map { [.hour(String($0.prefix(2)))] } ?? [] }
}

/// The type `datetime`: a day and a time. A bound may be a day.
struct DateTimeField: TimeTextField {
    static let refusal = FlowSentence.dateTime
    let bounds: TimeBounds

    init(_ keys: FieldKeys) { bounds = TimeBounds(keys) { CalendarDay($0) != nil || Self.isAnswer($0) } }

    static func isAnswer(_ text: String) -> Bool { text.isDateTime }
    func marks(of answer: JSONValue) -> [AnswerMark] { AnswerMark.month(answer).map { [.month($0)] } ?? [] }
}

/// The block `date_wheel_picker`: a date, which can be limited to the future or to the past.
struct DateWheelField: FieldType {
    private let date: DateField
    private let allowsFuture: Bool
    private let allowsPast: Bool

    init(_ keys: FieldKeys) {
        date = DateField(keys)
        allowsFuture = keys.bool("allow_future") ?? true
        allowsPast = keys.bool("allow_past") ?? true
    }

    /// Checks the answer. The respondent's current day may be one day before or after the day in UTC.
    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        date.check(answer, &check)
        guard let day = answer.string.flatMap({ CalendarDay($0) }) else { return }
        let distance = day.number - check.today.number
        if !allowsFuture, distance > 1 { check.fault(.range, .notFuture) }
        if !allowsPast, distance < -1 { check.fault(.range, .notPast) }
    }

    func marks(of answer: JSONValue) -> [AnswerMark] { date.marks(of: answer) }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

/// The bounds `min_date` and `max_date`. Times without a time zone are compared as texts. A bound that is only a day
/// includes the whole day.
struct TimeBounds: Sendable {
    private let low: String?
    private let high: String?

    init(_ keys: FieldKeys, _ isValid: (String) -> Bool) {
        func bound(_ name: String) -> String? {
            guard let reader = keys.key(name), let text = reader.string() else { return nil }
            if isValid(text) { return text }
            reader.finding("pattern", "expected a bound in the format of the answers")
            return nil
        }
        (low, high) = (bound("min_date"), bound("max_date"))
        if let low, let high, high.precedes(low) {
            keys.key("max_date")?.finding("range", "max_date is before min_date")
        }
    }

    func check(_ text: String, _ check: inout FieldCheck) {
        var bounds = JSONObject()
        (bounds["min"], bounds["max"]) = (low.map { .string($0) }, high.map { .string($0) })
        if let low, text.precedes(low) { check.fault(.range, .minimumDate, low, bounds: bounds) }
        if let high, high.precedes(String(text.prefix(high.count))) {
            check.fault(.range, .maximumDate, high, bounds: bounds)
        }
    }
}

extension String {
    /// Whether the text is `HH:mm`.
    fileprivate var isTimeOfDay: Bool {
        let bytes = Array(utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = Int(prefix(2)), let minute = Int(suffix(2)),
            [0, 1, 3, 4].allSatisfy({ bytes[$0].isDigit })
        else { return false }
        return hour < 24 && minute < 60
    }

    /// Whether the text is `yyyy-MM-ddTHH:mm:00`.
    fileprivate var isDateTime: Bool {
        let parts = split(separator: "T", omittingEmptySubsequences: false)
        return parts.count == 2 && CalendarDay(String(parts[0])) != nil && parts[1].utf8.count == 8
            && parts[1].hasSuffix(":00") && String(parts[1].dropLast(3)).isTimeOfDay
    }
}
