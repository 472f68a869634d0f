/// The kind of a message: a column of the table in ARCHITECTURE.md#kinds-of-content.
///
/// The kind is decided once, when the message is read (`MessageDefinition`). Each difference between kinds is a
/// function here that switches over all of them. So a new kind is a new case, and the compiler names every cell of its
/// column.
public enum MessageKind: Sendable, Hashable, CaseIterable {
    /// Texts and an action.
    case plain
    /// Beside them a sheet with one question, which a client answers once with one of its options.
    case microsurvey

    private static let microsurveySurface = "microsurvey"
    private static let microsurveyStyle = "MICROSURVEY"

    /// By surface or style (docs/reference/messaging.md#microsurveys).
    init(surface: String, style: String) {
        self = surface == Self.microsurveySurface || style == Self.microsurveyStyle ? .microsurvey : .plain
    }

    /// The kind of a message that is no longer served, from its stored `MessageFacts`.
    init(isMicrosurvey: Bool) { self = isMicrosurvey ? .microsurvey : .plain }
}

/// The members of a message in a poll.
extension MessageKind {
    /// The string id of the title of a message that names none.
    var defaultTitle: String? {
        switch self {
        case .plain: nil
        case .microsurvey: MicrosurveyStrings.Key.promptTitle.id
        }
    }

    /// The string id of the button's label of a message that names none.
    var defaultButtonLabel: String? {
        switch self {
        case .plain: nil
        case .microsurvey: MicrosurveyStrings.Key.promptButton.id
        }
    }

    /// The sheet that a press opens; nil for a kind without one.
    func sheet(
        of definition: MessageDefinition, question: String, texts: Texts, privacyURL: () -> String?
    ) -> MicrosurveyPresentation? {
        switch self {
        case .plain: nil
        case .microsurvey:
            MicrosurveyPresentation(
                definition.microsurvey, question: question, texts: texts, privacyURL: privacyURL())
        }
    }
}

/// Which events a message takes, and what they do. Every kind is displayed, clicked and dismissed.
extension MessageKind {
    /// Whether a client can report a step of a survey's sheet.
    public func takes(_ step: MicrosurveyStep) -> Bool {
        switch self {
        case .plain: false
        case .microsurvey: true
        }
    }

    /// Whether a press ends the message. It does not where it opens a microsurvey's sheet, which the surface alone
    /// decides (docs/reference/messaging.md#clicked).
    static func pressEndsMessage(on surface: String) -> Bool { surface != microsurveySurface }
}

/// The options that a response to a message is judged by, and that its results list.
extension MessageKind {
    /// Whether a client can answer the message, and results count its answers.
    public var isAnswered: Bool {
        switch self {
        case .plain: false
        case .microsurvey: true
        }
    }

    /// The options that an answer names one of, as their author wrote them.
    package func options(of definition: MessageDefinition) -> [String] {
        switch self {
        case .plain: []
        case .microsurvey: definition.microsurvey.options
        }
    }
}
