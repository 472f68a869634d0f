internal import BellwetherJSON

/// The type `number`: any number within the bounds.
struct NumberField: FieldType {
    private let grid: NumberGrid
    private let decimalPlaces: Int?
    /// The unit. Bounds only limit a number, whose meaning they do not change.
    let scale: String?

    init(_ keys: FieldKeys) {
        scale = keys.unit
        let bounds = keys.bounds("min_value", "max_value")
        grid = NumberGrid(low: bounds.low, high: bounds.high, step: keys.step())
        decimalPlaces = keys.count("decimal_places", in: 0...15)
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let number = check.number(answer) else { return }
        grid.check(number, &check)
        guard let decimalPlaces else { return }
        let scale = (0..<decimalPlaces).reduce(1.0) { scale, _ in scale * 10 }
        if !(number * scale).isNearlyWhole {
            check.fault(.rule, .decimalPlaces, "\(decimalPlaces)", bounds: ["max": .integer(Int64(decimalPlaces))])
        }
    }

    func marks(of answer: JSONValue) -> [AnswerMark] { AnswerMark.number(answer).map { [.number($0)] } ?? [] }
}

/// The type `slider`: a number, from 0 to 100 by default.
struct SliderField: FieldType {
    private let grid: NumberGrid
    /// The ends, between which respondents see their choice, and the unit.
    let scale: String?

    init(_ keys: FieldKeys) {
        grid = NumberGrid(keys)
        scale = grid.scale(keys)
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let number = check.number(answer) else { return }
        grid.check(number, &check)
    }

    func marks(of answer: JSONValue) -> [AnswerMark] { AnswerMark.number(answer).map { [.number($0)] } ?? [] }
}

/// The type `stepper`: a whole number, from 0 to 100 by default.
struct StepperField: FieldType {
    private let grid: NumberGrid
    /// The unit.
    let scale: String?

    init(_ keys: FieldKeys) { (grid, scale) = (NumberGrid(keys), keys.unit) }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let number = check.number(answer) else { return }
        guard number == number.rounded() else { return check.fault(.type, .wholeNumber) }
        grid.check(number, &check)
    }

    func marks(of answer: JSONValue) -> [AnswerMark] { AnswerMark.number(answer).map { [.number($0)] } ?? [] }
}

/// The type `range_slider`: `{low, high}`.
struct RangeSliderField: FieldType {
    private let grid: NumberGrid
    /// The ends and the unit.
    let scale: String?

    init(_ keys: FieldKeys) {
        grid = NumberGrid(keys)
        scale = grid.scale(keys)
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let low = answer.object?["low"]?.double, let high = answer.object?["high"]?.double else {
            return check.fault(.type, .range)
        }
        if answer.object?.count != 2 { check.fault(.unknownKey, .rangeKeys) }
        if low > high { check.fault(.range, .rangeOrder) }
        grid.check(low, &check)
        grid.check(high, &check)
    }

    func marks(of answer: JSONValue) -> [AnswerMark] {
        ["low", "high"].compactMap { end in
            AnswerMark.number(answer.object?[end]).map { .amount(end, number: $0) }
        }
    }
}

/// The type `rating`: stars from 1 to `max_stars`, with halves if `allow_half` is true.
struct RatingField: FieldType {
    private let maximum: Double
    private let allowsHalves: Bool

    init(_ keys: FieldKeys) {
        let stars = keys.number("max_stars", orInBlock: "max") ?? 5
        maximum = min(max(stars, 3), 10)
        allowsHalves = keys.bool("allow_half") ?? false
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let stars = check.number(answer) else { return }
        let units = allowsHalves ? stars * 2 : stars
        guard units == units.rounded() else {
            return check.fault(.type, allowsHalves ? .halfStars : .wholeStars)
        }
        if !(1...maximum).contains(stars) {
            check.fault(
                .range, .maximumStars, "\(Int64(maximum))", bounds: ["min": 1, "max": .integer(Int64(maximum))])
        }
    }

    /// The number of stars.
    var scale: String? { JSONValue.number(maximum).canonicalText }

    func marks(of answer: JSONValue) -> [AnswerMark] { AnswerMark.number(answer).map { [.number($0)] } ?? [] }
}

/// The bounds of numbers, and the distance of allowed values from the lower bound.
struct NumberGrid: Sendable {
    private let low: Double?
    private let high: Double?
    private let step: Double?

    init(low: Double?, high: Double?, step: Double?) { (self.low, self.high, self.step) = (low, high, step) }

    /// Reads the bounds. The default is from 0 to 100.
    init(_ keys: FieldKeys) {
        let bounds = keys.bounds("min_value", "max_value")
        self.init(low: bounds.low ?? 0, high: bounds.high ?? 100, step: keys.step())
    }

    /// The ends and the unit, such as `0–10 km`.
    func scale(_ keys: FieldKeys) -> String {
        let ends = [low, high].map { $0.map { JSONValue.number($0).canonicalText } ?? "" }.joined(separator: "–")
        return [ends, keys.unit].compactMap(\.self).joined(separator: " ")
    }

    func check(_ number: Double, _ check: inout FieldCheck) {
        var bounds = JSONObject()
        for (name, bound) in [("min", low), ("max", high), ("step", step)] {
            bounds[name] = bound.map { .number($0) }
        }
        if let low, number < low { check.fault(.range, .minimum, JSONValue.number(low).canonicalText, bounds: bounds) }
        if let high, number > high {
            check.fault(.range, .maximum, JSONValue.number(high).canonicalText, bounds: bounds)
        }
        if let step, !((number - (low ?? 0)) / step).isNearlyWhole {
            check.fault(.rule, .multiple, JSONValue.number(step).canonicalText, bounds: bounds)
        }
    }
}

extension FieldKeys {
    /// The unit of numbers; nil if there is none.
    fileprivate var unit: String? {
        key("unit")?.value.string.flatMap { unit in
            let plain = unit.filter { !$0.isWhitespace && $0 != "\u{1F}" }
            return plain.isEmpty ? nil : String(plain.prefix(40))
        }
    }
}

extension Double {
    /// Whether the number is whole, except for the rounding error of binary arithmetic: 0.3 is three times 0.1.
    fileprivate var isNearlyWhole: Bool { (self - rounded()).magnitude <= 1e-9 * Swift.max(1, magnitude) }
}
