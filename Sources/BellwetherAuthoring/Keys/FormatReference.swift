/// The tables of keys as the pages of the reference have them. `FormatReferenceTests` compares the two, and writes the
/// pages anew if `BELLWETHER_WRITE_DOCS` is set.
enum FormatReference {
    static let begin = "<!-- The tables of keys are made from Sources/BellwetherAuthoring/Keys. -->\n"
    static let end = "<!-- The end of the tables. -->\n"

    /// The text of each page between `begin` and `end`.
    static let pages = [
        "experiments.md": tables(ExperimentKeys.recipe),
        "flows.md": section("Flows and steps", FlowStepKeys.all + FlowStepKeys.types)
            + section("Blocks", [FlowBlockKeys.common, FlowBlockKeys.answer] + FlowBlockKeys.types)
            + section("Fields", [FlowFieldKeys.common, FlowFieldKeys.choice] + FlowFieldKeys.types)
            + section("Styles, parts, chats and hooks", FlowPartKeys.all),
        "goals.md": tables(ExperimentKeys.goals),
        "http-api.md": tables(Array(ManifestKeys.all.prefix(10))),
        "messaging.md": tables([MessageKeys.messaging] + MessageKeys.all),
        "surveys.md": section(
            "Questionnaires", Array(own(QuestionKeys.ofQuestionnaires)) + QuestionKeys.questionnaireTypes)
            + section("Surveys", Array(own(QuestionKeys.ofSurveys)) + QuestionKeys.surveyTypes)
            + section("Offers and other parts", RecipeKeys.all),
    ]

    private static func own(_ objects: [FormatObject]) -> ArraySlice<FormatObject> {
        objects.dropLast(RecipeKeys.all.count)
    }

    private static func section(_ title: String, _ objects: [FormatObject]) -> String {
        "\n### Keys: \(title.prefix(1).lowercased() + title.dropFirst())\n" + tables(objects)
    }

    private static func tables(_ objects: [FormatObject]) -> String { objects.map { "\n" + $0.reference }.joined() }
}
