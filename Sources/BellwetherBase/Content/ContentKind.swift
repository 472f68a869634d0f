/// A kind of recipe that a message presents (docs/reference/surveys.md#recipes).
public enum ContentKind: String, Sendable, Hashable, CaseIterable {
    /// Questions in Owlmetry's format.
    case questionnaire
    /// Questions in SurveyNative's format.
    case survey
    /// An onboarding flow in AppDNA's format.
    case flow

    /// As paths of the API write it.
    public var collection: String {
        switch self {
        case .questionnaire: "questionnaires"
        case .survey: "surveys"
        case .flow: "flows"
        }
    }

    /// The word for the runs of the kind in paths of the API.
    public var runs: String {
        switch self {
        case .questionnaire, .survey: "responses"
        case .flow: "runs"
        }
    }

    /// Whether a respondent who dismisses surveys is asked no more (docs/reference/surveys.md#dismissal).
    public var isDismissible: Bool {
        switch self {
        case .questionnaire, .survey: true
        case .flow: false
        }
    }

    /// Whether a run is judged by the newest revision. Else it ends with the revision that it began with.
    public var keepsAnswersOfEarlierRevisions: Bool {
        switch self {
        case .questionnaire, .survey: true
        case .flow: false
        }
    }
}
