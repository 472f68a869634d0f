internal import BellwetherBase
package import BellwetherJSON

/// The kind of a message: a column of the table in ARCHITECTURE.md#kinds-of-content.
///
/// The kind is decided once, when the message is read (`MessageDefinition`). Each difference between kinds is a
/// function in this file that switches over all kinds. For a new kind, the compiler therefore reports every function
/// that needs a new case.
public enum MessageKind: Sendable, Hashable, CaseIterable {
    /// A message with texts and an action.
    case plain
    /// A message that also has a sheet with one question. A client answers it once with one of its options.
    case microsurvey

    private static let microsurveySurface = "microsurvey"
    private static let microsurveyStyle = "MICROSURVEY"

    /// Determines the kind by surface or style (docs/reference/messaging.md#microsurveys).
    init(surface: Identifier, style: Identifier) {
        self = surface == Self.microsurveySurface || style == Self.microsurveyStyle ? .microsurvey : .plain
    }

    /// The kind of a message that is no longer served, from its stored `MessageFacts`.
    init(isMicrosurvey: Bool) { self = isMicrosurvey ? .microsurvey : .plain }
}

/// The members of a message in a poll.
extension MessageKind {
    /// Whether built-in texts take the place of absent ones. They must not take the place of what cannot be read.
    var hasBuiltInTexts: Bool {
        switch self {
        case .plain: false
        case .microsurvey: true
        }
    }

    /// The string id of the title of a message that has no title.
    var defaultTitle: String? {
        switch self {
        case .plain: nil
        case .microsurvey: MicrosurveyStrings.Key.promptTitle.id
        }
    }

    /// The string id of the button label of a message that has no button label.
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

/// The events that a message accepts, and their effects. Every kind can be displayed, clicked and dismissed.
extension MessageKind {
    /// Whether a client can report a step of a survey's sheet.
    public func takes(_ step: MicrosurveyStep) -> Bool {
        switch self {
        case .plain: false
        case .microsurvey: true
        }
    }

    /// Whether a press ends the message. It does not if it opens a microsurvey's sheet, which depends only on the
    /// surface (docs/reference/messaging.md#clicked).
    static func pressEndsMessage(on surface: Identifier) -> Bool { surface != microsurveySurface }
}

/// The options that a response to a message is checked against, and that its results list.
extension MessageKind {
    /// Whether a client can answer the message, and results count the answers.
    public var isAnswered: Bool {
        switch self {
        case .plain: false
        case .microsurvey: true
        }
    }

    /// The options of an answer, as their author wrote them.
    package func options(of definition: MessageDefinition) -> [Identifier] {
        switch self {
        case .plain: []
        case .microsurvey: definition.microsurvey.options
        }
    }
}
