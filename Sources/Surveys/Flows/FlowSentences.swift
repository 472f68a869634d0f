public import BellwetherBase

/// The library's own sentences about a respondent's input. The raw value is the key in the app's string table `Flow`
/// (docs/reference/flows.md#sentences).
public enum FlowSentence: String, Sendable, Hashable, CaseIterable {
    case required, unknownField, text, number, wholeNumber, boolean, object, texts, nul, controlCharacters
    case minimumLength, maximumLength, pattern, email, phone, url, color, colorWithOpacity
    case date, time, dateTime, notFuture, notPast, minimumDate, maximumDate
    case minimum, maximum, multiple, decimalPlaces, range, rangeKeys, rangeOrder, wholeStars, halfStars, maximumStars
    case option, optionID, optionIDs, optionTwice, maximumOptions, suggestion, maximumChips
    case image, imageTypes, imageBytes, signature, signatureBytes, unknownFile
    case placeText, placeNumber, placeBounds, placeKey, countryCode, place
    case runEnded, wrongStep, tooManyAnswers, noBack, noSkip, noDismissal
    case noChat, noLeavingYet, noMoreMessages, noRating, noEndYet
    case blankMessage, messageLength, unknownQuickReply, ratingBounds, hookFailed

    /// The table of the app's strings.
    public static let table = "Flow"

    public var id: String { Self.table + "/" + rawValue }

    /// The sentence if the app has no text for it. `%@` and `%1$@` are replaced by values.
    public var english: String { Self.english[self] ?? rawValue }

    private static let english: [FlowSentence: String] = [
        .required: "%@ is required", .unknownField: "the step has no such field",
        .text: "expected a string",
        .number: "expected a number", .wholeNumber: "expected a whole number", .boolean: "expected true or false",
        .object: "expected an object", .texts: "expected an array of strings", .nul: "the text has a NUL",
        .controlCharacters: "the text has control characters",
        .minimumLength: "expected at least %@ characters", .maximumLength: "expected at most %@ characters",
        .pattern: "Invalid format", .email: "expected an address such as ada@example.org",
        .phone: "expected a phone number such as +1 555 123 4567", .url: "expected a web address such as example.org",
        .color: "expected #RRGGBB",
        .colorWithOpacity: "expected #RRGGBB or #RRGGBBAA",
        .date: "expected a date as yyyy-MM-dd", .time: "expected a time as HH:mm",
        .dateTime: "expected a time as yyyy-MM-ddTHH:mm:00", .notFuture: "expected a day that is not in the future",
        .notPast: "expected a day that is not in the past", .minimumDate: "expected %@ or later",
        .maximumDate: "expected %@ or earlier",
        .minimum: "expected at least %@", .maximum: "expected at most %@", .multiple: "expected a multiple of %@",
        .decimalPlaces: "expected at most %@ decimal places",
        .range: "expected an object with the numbers low and high", .rangeKeys: "expected low and high only",
        .rangeOrder: "low is more than high", .wholeStars: "expected whole stars",
        .halfStars: "expected whole or half stars", .maximumStars: "expected 1 to %@ stars",
        .option: "expected one of the options", .optionID: "expected the id of an option",
        .optionIDs: "expected an array of ids of options", .optionTwice: "an option is chosen twice",
        .maximumOptions: "at most %@ may be chosen", .suggestion: "expected one of the suggestions",
        .maximumChips: "expected at most %@ chips",
        .image: "expected an image as a data URL in base64", .imageTypes: "expected an image of the types %@",
        .imageBytes: "an image has at most %@ bytes",
        .signature: "expected signature:STROKES, or an image as a data URL in base64",
        .signatureBytes: "a signature has at most %@ bytes", .unknownFile: "the run has no such file",
        .placeText: "%@ is a string", .placeNumber: "%@ is a number", .placeBounds: "%1$@ is from -%2$@ to %2$@",
        .placeKey: "a location has no %@", .countryCode: "country_code has two letters",
        .place: "expected a place from the list of suggestions",
        .runEnded: "the run has ended", .wrongStep: "the run is at another step",
        .tooManyAnswers: "the run has too many answers", .noBack: "the step does not allow back",
        .noSkip: "the step does not allow skip", .noDismissal: "the step does not allow dismissal",
        .noChat: "the step does not allow a chat",
        .noLeavingYet: "the step does not allow leaving before %@ messages",
        .noMoreMessages: "the step does not allow more messages",
        .noRating: "the step does not allow a rating that nobody asked for",
        .noEndYet: "the step does not allow an end before %@ messages",
        .blankMessage: "the text is blank", .messageLength: "a message has at most %@ characters",
        .unknownQuickReply: "no quick reply that is offered has this id", .ratingBounds: "a rating is 1 to %@",
        .hookFailed: "Something went wrong. Please try again.",
    ]
}

/// The language of a flow's texts for a respondent. The texts come from an app's string tables
/// (docs/reference/flows.md#languages).
public struct FlowLanguage: Sendable {
    /// The localizer; nil if there are no tables. Sentences are then English, and an author's texts are unchanged.
    private let localizer: Localizer?
    private let shortName: String

    public static let english = FlowLanguage(nil, shortName: "")

    /// - Parameter shortName: the app's short name, which replaces `%@` in an author's text.
    public init(_ localizer: Localizer?, shortName: String) {
        (self.localizer, self.shortName) = (localizer, shortName)
    }

    func say(_ sentence: FlowSentence, _ values: [String] = []) -> String {
        TextFormat.apply(own(sentence) ?? sentence.english, arguments: values)
    }

    /// The sentence of a fault; nil if the app has a text for it.
    func reason(of fault: FieldFault) -> FlowSentence? {
        guard case .own(let sentence, _) = fault.text, own(sentence) == nil else { return nil }
        return sentence
    }

    /// The app's text for a sentence.
    private func own(_ sentence: FlowSentence) -> String? {
        localizer.map { $0.resolve(sentence.id).text }.flatMap { $0 == sentence.id ? nil : $0 }
    }

    /// Resolves an author's text, which may be the id of a text.
    func read(_ text: String) -> String {
        guard let localizer else { return text }
        return TextFormat.apply(localizer.resolve(text).text, arguments: [shortName])
    }
}
