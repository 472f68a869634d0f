/// The tables of a flow's keys as the page docs/reference/flows.md has them. `FlowKeysTests` compares the two, and
/// writes the page anew if `BELLWETHER_WRITE_DOCS` is set.
enum FlowKeysReference {
    static let begin = "<!-- The tables of keys are made from Sources/BellwetherAuthoring/Keys. -->\n"
    static let end = "<!-- The end of the tables. -->\n"

    static var text: String {
        section("Flows and steps", FlowStepKeys.all)
            + section("Blocks", [FlowBlockKeys.common, FlowBlockKeys.answer] + FlowBlockKeys.types)
            + section("Fields", [FlowFieldKeys.common, FlowFieldKeys.choice] + FlowFieldKeys.types)
            + section("Styles, parts, chats and hooks", FlowPartKeys.all)
    }

    private static func section(_ title: String, _ objects: [FormatObject]) -> String {
        "\n### Keys: \(title.prefix(1).lowercased() + title.dropFirst())\n"
            + objects.map { "\n" + $0.reference }.joined()
    }
}
