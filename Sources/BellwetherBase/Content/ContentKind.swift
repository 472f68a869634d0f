/// A kind of recipe that a message presents (docs/reference/surveys.md#recipes).
public enum ContentKind: String, Sendable, Hashable, CaseIterable {
    /// A list of questions in Owlmetry's format.
    case questionnaire
    /// A list of questions in SurveyNative's format.
    case survey
    /// An onboarding flow in AppDNA's format.
    case flow

    /// The name of the collection in paths of the API.
    public var collection: String {
        switch self {
        case .questionnaire: "questionnaires"
        case .survey: "surveys"
        case .flow: "flows"
        }
    }

    /// The word for the kind's runs in paths of the API.
    public var runs: String {
        switch self {
        case .questionnaire, .survey: "responses"
        case .flow: "runs"
        }
    }

    /// Whether a respondent who opts out of surveys gets no more of this kind (docs/reference/surveys.md#dismissal).
    public var isDismissible: Bool {
        switch self {
        case .questionnaire, .survey: true
        case .flow: false
        }
    }

    /// Whether the newest revision judges a run. Otherwise a run keeps the revision with which it began.
    public var keepsAnswersOfEarlierRevisions: Bool {
        switch self {
        case .questionnaire, .survey: true
        case .flow: false
        }
    }
}
