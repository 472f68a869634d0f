public import BellwetherJSON

/// The type `rating` of questionnaires: an integer from 1 to the scale.
public struct RatingQuestion: QuestionType {
    public static let name = "rating"

    private let points: Int64

    /// The form in which a page shows it.
    private enum Display: String, CaseIterable {
        case numbers
        /// The default for a scale of up to five.
        case stars
    }

    public init?(_ definition: JSONReader) {
        _ = definition.optional("display")?.choice(Display.self)
        guard let reader = definition.optional("scale") else {
            points = 5
            return
        }
        guard let points = reader.integer(in: 2...11) else { return nil }
        self.points = points
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) { check.expect(answer, in: 1...points) }
    public func isCleared(by answer: JSONValue) -> Bool { answer.string?.isBlank ?? false }
    public func isComplete(_ answer: JSONValue) -> Bool { !isCleared(by: answer) }
    public var tally: QuestionTally { .rating(scale: points) }
    public var domain: AnswerDomain { .integer(1...points) }
}

/// The type `nps` of questionnaires: an integer from 0 to 10.
public struct NPSQuestion: QuestionType {
    public static let name = "nps"

    public init?(_ definition: JSONReader) {}

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) { check.expect(answer, in: 0...10) }
    public func isCleared(by answer: JSONValue) -> Bool { answer.string?.isBlank ?? false }
    public func isComplete(_ answer: JSONValue) -> Bool { !isCleared(by: answer) }
    public var tally: QuestionTally { .nps }
    public var domain: AnswerDomain { .integer(0...10) }
}

extension AnswerCheck {
    /// Expects a JSON number without a fraction. `4.0` is accepted, `"4"` is not.
    fileprivate mutating func expect(_ answer: JSONValue, in range: ClosedRange<Int64>) {
        guard let number = answer.double, let integer = Int64(exactly: number) else {
            return fault(.type, "expected an integer")
        }
        if !range.contains(integer) {
            fault(
                .range, "expected an integer from \(range.lowerBound) to \(range.upperBound)",
                bounds: ["min": .integer(range.lowerBound), "max": .integer(range.upperBound)])
        }
    }
}
