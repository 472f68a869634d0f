/// What a recipe is that a message presents (docs/reference/surveys.md#recipes).
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
}
