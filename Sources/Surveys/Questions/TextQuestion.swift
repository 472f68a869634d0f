public import BellwetherJSON

/// The type `text` of questionnaires: a text of up to 4,000 Unicode scalars.
public struct TextQuestion: QuestionType {
    static let maximumLength = 4_000

    public init?(_ definition: JSONReader) {
        _ = definition.optional("placeholder")?.string(length: 0...200)
        _ = definition.optional("multiline")?.bool()
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let text = answer.string else { return check.fault(.type, "expected a string") }
        if text.unicodeScalars.count > Self.maximumLength {
            check.fault(
                .tooLong, "a text may have at most \(Self.maximumLength) characters",
                bounds: ["max": .integer(Int64(Self.maximumLength))])
        }
    }

    public func isCleared(by answer: JSONValue) -> Bool { answer.string?.isBlank ?? false }
    public func isComplete(_ answer: JSONValue) -> Bool { !isCleared(by: answer) }
}
