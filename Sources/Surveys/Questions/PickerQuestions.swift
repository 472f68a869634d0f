public import BellwetherJSON

/// The type `year_picker` of surveys: a year as a text.
public struct YearPickerQuestion: QuestionType {
    private enum Year: Sendable {
        case year(Int64)
        case current

        func value(on today: CalendarDay) -> Int64 {
            switch self {
            case .year(let year): year
            case .current: today.year
            }
        }
    }

    private let minimum: Year?
    private let maximum: Year?
    private let initial: Year?
    /// The number of years, above 0.
    private let count: Int64?

    public init?(_ definition: JSONReader) {
        minimum = definition.optional("min_year").flatMap(Self.year)
        maximum = definition.optional("max_year").flatMap(Self.year)
        initial = definition.optional("initial_year").flatMap(Self.year)
        let count = definition.optional("num_years")?.looseInteger(in: -9999...9999)
        self.count = count.flatMap { $0 > 0 ? $0 : nil }
        _ = definition.optional("sort_order")?.choice(SortOrder.self)
    }

    private enum SortOrder: String, CaseIterable {
        case ascending = "ASC"
        case descending = "DESC"
    }

    private static func year(_ reader: JSONReader) -> Year? {
        if reader.value.string == "current_year" { return .current }
        return reader.looseInteger(in: 1...9999).map { .year($0) }
    }

    /// The range of years. Two of the three keys determine the third. With one key or none, the current year and 1900
    /// complete the range.
    func years(on today: CalendarDay) -> ClosedRange<Int64> {
        var (low, high) = (minimum?.value(on: today), maximum?.value(on: today))
        if let first = low, let last = high, first > last { (low, high) = (nil, nil) }
        let current = today.year
        switch (low, high, count) {
        case (let low?, let high?, _): return low...high
        case (let low?, nil, let count?): return low...(low + count - 1)
        case (nil, let high?, let count?): return (high - count + 1)...high
        case (let low?, nil, nil): return low...max(current, low)
        case (nil, let high?, nil): return min(current, high)...high
        case (nil, nil, let count?): return (current - count + 1)...current
        case (nil, nil, nil): return min(1900, current)...current
        }
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let text = answer.string else { return check.fault(.type, "expected a year as a string") }
        guard !text.isEmpty else { return }
        guard (1...4).contains(text.utf8.count), let year = Int64(digits: text) else {
            return check.fault(.pattern, "expected a year such as 1999")
        }
        let ranges = check.days.map { years(on: $0) }
        guard !ranges.contains(where: { $0.contains(year) }), let first = ranges.first, let last = ranges.last else {
            return
        }
        check.fault(
            .range, "expected a year from \(first.lowerBound) to \(last.upperBound)",
            bounds: ["min": .string(String(first.lowerBound)), "max": .string(String(last.upperBound))])
    }

    public func isComplete(_ answer: JSONValue) -> Bool { answer.string?.isEmpty == false }
    public func marks(of answer: JSONValue) -> [AnswerMark] {
        answer.string.flatMap { Int64($0) }.map { [.number("\($0)")] } ?? []
    }

    public var domain: AnswerDomain { .year }

    public func range(on today: CalendarDay) -> PickerRange? {
        let years = years(on: today)
        return PickerRange(
            minimum: String(years.lowerBound), maximum: String(years.upperBound),
            initial: initial.map { String($0.value(on: today)) })
    }
}

/// The type `date_picker` of surveys: a day as `YYYY-MM-DD`.
public struct DatePickerQuestion: QuestionType {
    private enum Day: Sendable {
        case day(CalendarDay)
        case current

        func value(on today: CalendarDay) -> CalendarDay {
            switch self {
            case .day(let day): day
            case .current: today
            }
        }
    }

    private struct Difference: Sendable {
        var (years, months, days): (Int64, Int64, Int64)
    }

    private let minimum: Day?
    private let maximum: Day?
    private let initial: Day?
    private let difference: Difference?

    public init?(_ definition: JSONReader) {
        minimum = definition.optional("min_date").flatMap(Self.day)
        maximum = definition.optional("max_date").flatMap(Self.day)
        initial = definition.optional("date").flatMap(Self.day)
        difference = definition.optional("date_diff").flatMap { reader in
            guard reader.object() != nil else { return nil }
            func amount(_ key: String) -> Int64 { reader.optional(key)?.looseInteger(in: -100_000...100_000) ?? 0 }
            return Difference(years: amount("year"), months: amount("month"), days: amount("day"))
        }
    }

    private static func day(_ reader: JSONReader) -> Day? {
        guard let text = reader.string() else { return nil }
        if text == "current_date" || text == "currentdate" { return .current }
        if let day = CalendarDay(text) { return .day(day) }
        reader.finding("pattern", "expected a date as YYYY-MM-DD, or current_date")
        return nil
    }

    private func bounds(on today: CalendarDay) -> (minimum: CalendarDay?, maximum: CalendarDay?) {
        var (low, high) = (minimum?.value(on: today), maximum?.value(on: today))
        let other = { (day: CalendarDay) in
            difference.flatMap { day.adding(years: $0.years, months: $0.months, days: $0.days) }
        }
        switch (low, high) {
        case (let day?, nil): high = other(day)
        case (nil, let day?): low = other(day)
        default: break
        }
        if let first = low, let last = high, first > last { return (nil, nil) }
        return (low, high)
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let text = answer.string else { return check.fault(.type, "expected a date as a string") }
        guard !text.isEmpty else { return }
        guard let day = CalendarDay(text) else { return check.fault(.pattern, "expected a date as YYYY-MM-DD") }
        let ranges = check.days.map { bounds(on: $0) }
        let isInside = ranges.contains { range in
            let isEarly = range.minimum.map { day < $0 } ?? false
            let isLate = range.maximum.map { day > $0 } ?? false
            return !isEarly && !isLate
        }
        guard !isInside, let first = ranges.first, let last = ranges.last else { return }
        var named = JSONObject()
        (named["min"], named["max"]) = (first.minimum.map { .string($0.text) }, last.maximum.map { .string($0.text) })
        check.fault(
            .range, "expected a date from \(first.minimum?.text ?? "any") to \(last.maximum?.text ?? "any")",
            bounds: named)
    }

    public func isComplete(_ answer: JSONValue) -> Bool { answer.string?.isEmpty == false }
    public func marks(of answer: JSONValue) -> [AnswerMark] { AnswerMark.month(answer).map { [.month($0)] } ?? [] }
    public var domain: AnswerDomain { .day }

    public func range(on today: CalendarDay) -> PickerRange? {
        let bounds = bounds(on: today)
        return PickerRange(
            minimum: bounds.minimum?.text, maximum: bounds.maximum?.text, initial: initial?.value(on: today).text)
    }
}

extension Int64 {
    /// Parses a text that consists of digits only.
    fileprivate init?(digits text: String) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self.init(text)
    }
}
