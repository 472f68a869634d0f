extension Format {
    /// The format of each kind of document.
    static let all: [String: Format] = [
        "experiment": Format(
            "Experiment", "An experiment or a rollout in the format of Mozilla's Experimenter",
            required: ["schemaVersion", "slug", "bucketConfig", "branches"], ExperimentKeys.all,
            checked: [ExperimentKeys.outcome]),
        "flow": Format(
            "Flow", "An onboarding flow: steps of content, questions, forms and conversations", required: ["steps"],
            FlowStepKeys.all + [FlowBlockKeys.common, FlowFieldKeys.common] + FlowPartKeys.all + RecipeKeys.all,
            checked: [FlowFieldKeys.config]),
        "manifest": Format(
            "Manifest", "An app's manifest: its surfaces, attributes, features and limits",
            required: ["app_name", "default_locale", "surfaces"], ManifestKeys.all),
        "messages": Format(
            "Messages", "Messages and microsurveys with their triggers and styles", required: [],
            [MessageKeys.recipe] + MessageKeys.all),
        "questionnaire": Format(
            "Questionnaire", "A questionnaire in Owlmetry's format", required: ["kind", "name", "schema"],
            QuestionKeys.ofQuestionnaires),
        "segment": Format(
            "Segment", "A named expression, which other expressions read as segment.NAME",
            required: ["kind", "expression"], [SegmentKeys.segment]),
        "survey": Format(
            "Survey", "A survey in SurveyNative's format", required: ["kind", "questions"], QuestionKeys.ofSurveys),
    ]
}
