internal import BellwetherJSON
internal import Surveys

/// Warnings about the bounds of a year or date picker on one day (docs/findings.md#questions).
struct PickerCheck {
    private let question: Question
    private let reader: JSONReader
    private let today: CalendarDay
    private let findings: Findings

    init(_ question: Question, _ reader: JSONReader, on today: CalendarDay, _ findings: Findings) {
        (self.question, self.reader, self.today, self.findings) = (question, reader, today, findings)
    }

    func check() {
        guard let range = question.type.range(on: today) else { return }
        switch question.type.domain {
        case .year: checkYears(range)
        case .day: checkDays(range)
        default: break
        }
    }

    private func warn(_ code: String, _ key: String, _ message: String) {
        findings.warn(code, at: (reader.optional(key) ?? reader).pointer, message)
    }

    private func text(_ key: String) -> String? {
        guard let value = reader.optional(key)?.value else { return nil }
        return value.string ?? value.integer.map { String($0) }
    }

    private func checkYears(_ range: PickerRange) {
        guard let low = range.minimum.flatMap({ Int64($0) }), let high = range.maximum.flatMap({ Int64($0) }) else {
            return
        }
        func year(_ key: String) -> Int64? {
            text(key).flatMap { $0 == "current_year" ? Int64(today.text.prefix(4)) : Int64($0) }
        }
        if let first = year("min_year"), let last = year("max_year"), first > last {
            return warn("dates", "max_year", "max_year \(last) is before min_year \(first): both are ignored")
        }
        if let count = year("num_years"), count <= 0 {
            return warn("unused_key", "num_years", "num_years \(count) is ignored: a picker offers at least one year")
        }
        if low == high {
            let key = ["num_years", "max_year", "min_year"].first { reader.optional($0) != nil } ?? "id"
            let remedy = key == "num_years" ? "ask for more" : "say how many in \"num_years\""
            return warn("one_choice", key, "the picker offers \(low) only: \(remedy)")
        }
        guard let initial = range.initial.flatMap({ Int64($0) }), !(low...high).contains(initial) else { return }
        warn("initial_outside", "initial_year", "initial_year \(initial) is none of \(low) to \(high)")
    }

    private func checkDays(_ range: PickerRange) {
        func day(_ key: String) -> CalendarDay? {
            guard let text = text(key) else { return nil }
            return text == "current_date" || text == "currentdate" ? today : CalendarDay(text)
        }
        let (first, last) = (day("min_date"), day("max_date"))
        if let first, let last, first > last {
            return warn("dates", "max_date", "max_date \(last.text) is before min_date \(first.text): both are ignored")
        }
        if let difference = reader.optional("date_diff"), difference.value.object != nil {
            if (first == nil) == (last == nil) {
                return warn("unused_key", "date_diff", "date_diff counts only beside one of min_date and max_date")
            }
            if range.minimum == nil, range.maximum == nil {
                let (bound, sign) = last == nil ? ("min_date", "positive") : ("max_date", "negative")
                return warn("dates", "date_diff", "both bounds are ignored: beside \(bound), date_diff is \(sign)")
            }
        }
        guard let initial = range.initial, let day = CalendarDay(initial) else { return }
        let isEarly = range.minimum.flatMap { CalendarDay($0) }.map { day < $0 } ?? false
        let isLate = range.maximum.flatMap { CalendarDay($0) }.map { day > $0 } ?? false
        guard isEarly || isLate else { return }
        let bounds = "\(range.minimum ?? "any day") to \(range.maximum ?? "any day")"
        warn("initial_outside", "date", "date \(initial) is none of \(bounds)")
    }
}
