/// The keys of messages and of the other variables of the feature `messaging`
/// (docs/reference/messaging.md#the-messaging-feature). The reader of messages reports unknown keys.
enum MessageKeys {
    /// Rows of the keys of a message and an offer.
    static let content = """
        surface | name surfaces | by dialect | where in the app it is shown
        title | words | | the heading
        text | lines | | a text, or an id in the string tables such as Feedback/title
        button-label | words | | the words of the button | Label of the button
        style | name styles | `DEFAULT` | how important it is and how often it is shown
        trigger-if-all | [name triggers] | by dialect | names of triggers; ALWAYS holds for everybody | Shown when all of these hold
        except-if-any exclude-if-any | [name triggers] | | names of triggers | Not shown when one of these holds
        """

    static let message = FormatObject(
        "message",
        content + """

            action | name actions | by dialect | the name of an action, or a URL | Action of the button
            action-params | {*text} | | what the URL of the action gets | Parameters of the action
            presents | name presentable | | the questionnaire, survey or flow that the button opens
            microsurveyConfig microsurvey-config | {microsurveyConfig} | | of a microsurvey
            experiment | text | | as a rule {experiment}, which is this recipe’s slug
            is-control | flag | false | it records who would have seen a message | Control: counted and never shown
            pacing | {pacing} | | how often it is shown, and to whom
            """,
        check: .free)

    static let microsurvey = FormatObject(
        "microsurveyConfig",
        """
        options answers | [object/words] | | what can be chosen | Answers
        icon | text | `lightbulbLarge` | the name of an icon, a character, or an address
        # more
        utm-content | text | | what the privacy link says
        """, check: .free)

    static let style = FormatObject(
        "style",
        """
        priority | number | 50 | of several messages the one with the highest is shown
        max-display-count | number | 5 | after so many displays a client is not shown it again | Displays at most
        pacing | {pacing} | | how often its messages are shown, and to whom
        """, check: .free)

    /// Rows of the variables.
    private static let variables = """
        messages | {*{message}} | | messages by their key
        triggers | {*expression} | | expressions that messages name; each is true or false for a client
        styles | {*{style}} | | styles that messages name
        actions | {*text} | | addresses that messages name
        on-control | =show-next-message show-none | show-next-message | whether the surface goes on to the next message | After a control
        """

    static let messaging = FormatObject("messaging", variables, check: .free)

    static let recipe = FormatObject(
        "messages", definition: "messages", "userFacingName | text | | for people | Name\n" + variables, check: .free)

    static let all =
        [message, microsurvey, style] + [RecipeKeys.pacing, RecipeKeys.sample, RecipeKeys.quota, RecipeKeys.condition]
}
