internal import BellwetherCore
public import BellwetherJSON

/// The format of a document of another system (docs/reference/surveys.md#import-and-export).
public enum ForeignFormat: Sendable, Hashable, CaseIterable {
    /// Owlmetry's questionnaire with its `schema`. It may be below `questionnaire`, as in the SDK's response.
    case questionnaire
    /// Several questionnaires: an array, or below `questionnaires`.
    case questionnaires
    /// The `schema` of a questionnaire.
    case schema
    /// One question of such a schema, or an array of them.
    case schemaQuestions
    /// SurveyNative's survey: `questions` and `submit`.
    case survey
    /// One question of such a survey, or an array of them.
    case surveyQuestions
    /// AppDNA's flow.
    case flow
    /// AppDNA's flows by their ids, with the id of the active flow.
    case flows
    /// Several recipes of Experimenter: an array, or a changeset of Remote Settings.
    case experiments
    /// A survey in a format that no command imports, such as Formbricks', Typeform's or SurveyJS's.
    case other

    /// Nil for a recipe, and for any other document.
    public init?(_ document: JSONValue) {
        switch document {
        case .array(let elements): self.init(elements: elements.compactMap(\.object))
        case .object(let object) where !Self.isRecipe(object): self.init(object)
        default: return nil
        }
    }

    private init?(elements: [JSONObject]) {
        guard !elements.isEmpty, !elements.contains(where: { $0["kind"] != nil }) else { return nil }
        func hasMember(_ key: String) -> Bool { elements.contains { $0[key] != nil } }
        if hasMember("question_type") {
            self = .surveyQuestions
        } else if hasMember("schema") {
            self = .questionnaires
        } else if Self.experimentKeys.contains(where: hasMember) {
            self = .experiments
        } else if elements.contains(where: Self.isSchemaQuestion) {
            self = .schemaQuestions
        } else {
            return nil
        }
    }

    private init?(_ object: JSONObject) {
        let questions = object["questions"]?.array?.compactMap(\.object)
        if object["questionnaires"]?.array != nil {
            self = .questionnaires
        } else if Self.isSchema(object["schema"]) || object["questionnaire"]?.object?["schema"] != nil {
            self = .questionnaire
        } else if questions?.contains(where: { $0["question_type"] != nil }) == true {
            self = .survey
        } else if questions?.contains(where: Self.isSchemaQuestion) == true {
            self = .schema
        } else if object["question_type"]?.string != nil {
            self = .surveyQuestions
        } else if object["flows"]?.object != nil {
            self = .flows
        } else if let steps = object["steps"]?.array, steps.isEmpty || steps.contains(where: Self.isStep) {
            self = .flow
        } else if object["changes"]?.array != nil {
            self = .experiments
        } else if Self.isSchemaQuestion(object) {
            self = .schemaQuestions
        } else if Self.surveyKeys.contains(where: { object[$0]?.array?.contains { $0.object != nil } == true }) {
            self = .other
        } else {
            return nil
        }
    }

    /// The lists of questions in other systems' formats.
    private static let surveyKeys = [
        "SurveyElements", "blocks", "elements", "fields", "items", "pages", "questions", "screens", "sections", "steps",
    ]

    private static let experimentKeys = ["schemaVersion", "bucketConfig", "branches"]

    /// Whether the document declares its own kind, or has the shape of a recipe.
    public static func isRecipe(_ object: JSONObject) -> Bool {
        object["kind"] != nil || object["data"] != nil || Recipe.isExperiment(object)
            || MessagingReading.isMessaging(object)
    }

    private static func isSchema(_ value: JSONValue?) -> Bool {
        value?.object.map { $0.isEmpty || $0["questions"] != nil } ?? false
    }

    private static let stepTypes = ["custom", "form", "interactive_chat", "question", "value_prop", "welcome"]

    private static func isStep(_ value: JSONValue) -> Bool {
        guard let step = value.object else { return false }
        return step["config"]?.object != nil || step["layout"]?.object != nil
            || step["type"]?.string.map(stepTypes.contains) == true
    }

    private static let questionTypes = ["text", "single_choice", "multi_choice", "rating", "nps"]

    private static func isSchemaQuestion(_ object: JSONObject) -> Bool {
        object["id"]?.string != nil && object["title"]?.string != nil
            && object["type"]?.string.map(questionTypes.contains) == true
    }

    /// A sentence for an author who expects a recipe: the format that the document seems to have, and the command that
    /// imports it.
    public var advice: String {
        switch self {
        case .questionnaire:
            "it looks like Owlmetry's questionnaire: \(Self.importing), or \"kind\": \"questionnaire\" in front"
        case .questionnaires: "it looks like a list of Owlmetry's questionnaires: \(Self.importing)"
        case .schema: "it looks like the schema of one of Owlmetry's questionnaires: \(Self.importing)"
        case .schemaQuestions: "it looks like questions of one of Owlmetry's questionnaires: \(Self.importing)"
        case .survey: "it looks like SurveyNative's survey: \(Self.importing), or \"kind\": \"survey\" in front"
        case .surveyQuestions: "it looks like questions of one of SurveyNative's surveys: \(Self.importing)"
        case .flow: "it looks like AppDNA's flow: \(Self.importing), or \"kind\": \"flow\" in front"
        case .flows: "it looks like AppDNA's bundle of flows: \(Self.pushing)"
        case .experiments: "it looks like a list of Experimenter's recipes: \(Self.pushing)"
        case .other:
            "it looks like a survey in a format that is not known: bellwether survey import takes those of "
                + "SurveyNative, Owlmetry, AppDNA and Experimenter"
        }
    }

    private static let importing = "bellwether survey import makes a recipe of it"
    private static let pushing = "bellwether push takes it as a file"
}
