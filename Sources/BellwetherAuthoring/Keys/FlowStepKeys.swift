/// The keys of a flow, its settings and its steps (docs/reference/flows.md#keys).
enum FlowStepKeys {
    static let flow = FormatObject(
        "flow",
        """
        kind | =flow | | the kind of the recipe
        name | text | | for people
        description | lines | | for people
        hosted | flag | false | whoever has its address may answer there, without an app | It has a page of its own
        settings | {settings} | | of all steps
        steps | [{step}] | | the steps, in their order
        graph_nodes | {*{graph_nodes}} | | targets of rules that are no steps
        audience_rules | {audience_rules}/[{audience rule}] | | by what clients say of themselves | For whom
        active | flag | false | it comes where no audience fits | It is the flow of whoever has no other

        """ + RecipeKeys.around,
        stored: """
            slug id version status graph_layout created_at updated_at published_at goals | any
            """,
        check: .recipe)

    static let settings = FormatObject(
        "settings",
        """
        show_progress | flag | true | whether the progress is shown | Progress is shown
        allow_back | flag | true | whether respondents can go back | One may go back
        dismiss_allowed | flag | true | whether respondents can stop | One may close it
        progress_style | dots segmented_bar continuous_bar fraction none | continuous_bar | the kind of progress | Progress is shown as
        progress_color | color | | of what is done
        progress_track_color | color | | of what is left
        """,
        stored: "skip_to_step back_button_style content_padding block_spacing haptic | any", check: .open)

    static let step = FormatObject(
        "step",
        """
        id | text | | results are kept by it: small letters, digits and underscores
        type | \(types.map(\.name).joined(separator: " ")) | custom | the type
        config | {config of a step} | | what it shows and asks
        next_step_rules | [{next_step_rules}] | | where it goes on: the first rule that holds decides | Which step comes next
        hook | {hook} | | decides whether the respondent goes on
        render_hook | {hook} | | changes the step before it is shown
        # more
        hide_progress | flag | false | whether it shows no progress | Without progress
        hide_back | flag | false | whether respondents cannot go back from it | Without Back
        name | text | | for people | Name for people
        """,
        stored: """
            localizations default_locale | any
            layout | {config of a step}
            content_blocks | [{block}]
            """,
        hints: KeyHints(
            places: Dictionary(uniqueKeysWithValues: config.known.keys.map { ($0, "config.\($0)") })
                .merging([
                    "hero_image": "config.image_url", "branching": "next_step_rules", "webhook_url": "hook.webhook_url",
                ]) { $1 }),
        variants: FormatVariants(
            by: "type", .inside("config"), types.map { FormatVariant(name: $0.name, own: $0, prefix: "step") }))

    static let config = FormatObject(
        "config of a step",
        """
        title | lines | | the heading
        subtitle | lines | | below the heading
        image_url | picture | | the picture | Address of the picture
        cta_text | words | | the words of the button | Label of the button
        skip_enabled | flag | false | whether it can be skipped | One may skip it
        next_step_rules | [{next_step_rules}] | | rules that stand in the step’s config | Which step comes next
        # more
        default_locale | text | | the language of the texts
        localizations | object | | texts by language: titles, labels and buttons by their keys | Other languages
        """,
        stored: """
            layout validation_mode field_defaults layout_variant background text_style element_style animation \
            progress_color permission_type hide_progress hide_back | any
            hook render_hook | {hook}
            """,
        with: types,
        hints: KeyHints(
            meant: ["hero_image": "image_url", "branching": "next_step_rules"],
            places: ["webhook_url": "hook.webhook_url"]))

    /// The types of steps, with the keys that the `config` of each has.
    static let types = [
        FormatObject("welcome", "= Welcome | A title, a picture, a button\n" + blocks),
        FormatObject("custom", "= Blocks | Put together freely\n" + blocks),
        FormatObject(
            "value_prop",
            "= What it is good for | A few points with icons\nitems | [{items of a step}] | | what speaks for it | Items\n"
                + blocks),
        FormatObject(
            "question",
            """
            = Question | One or several answers
            options | [{options}/words] | | what can be chosen | Answers
            selection_mode | single multi | single | how many options may be chosen | Choice
            display | dropdown stacked grid list | list | how the options stand | Shown as
            columns grid_columns | number 2..3 | 2 | of a grid
            """),
        FormatObject("form", "= Form | Fields to fill in\nfields | [{field}] | | what is asked"),
        FormatObject(
            "interactive_chat",
            "= Conversation | Messages, answered by a webhook\nchat_config | {chat_config} | | the conversation"),
    ]

    private static let blocks = "content_blocks | [{block}] | | what it shows"

    static let item = FormatObject(
        "items of a step",
        """
        title | words | | the words
        subtitle description | words | | a line below
        icon | text | | an emoji
        # more
        id | text | | the name
        image_url | picture | | a picture | Address of the picture
        """)

    static let rule = FormatObject(
        "next_step_rules",
        """
        target_step_id | text | | the step, the node, or `end`
        conditions | [{condition of a rule}] | | when
        condition | {condition of a rule} | | when
        logic | and or | and | whether all conditions must hold, or one
        """)

    static let condition = FormatObject(
        "condition of a rule",
        """
        type | =\(conditions) | | the comparison
        answer_key | text | | the field
        value | any | | with what
        previous_step_id | text | | the step before
        previous_step_ids | [text]/text | | the steps before
        """)

    private static let conditions = """
        answer_equals answer_not_equals answer_contains empty not_empty previous_step_equals previous_step_in always
        """

    static let node = FormatObject(
        "graph_nodes",
        """
        type | analytics_event end paywall_trigger permission screen flow | | what it does
        event_name | text | | the event that an `analytics_event` makes | Event
        next_target | text | | where an `analytics_event` goes on | Then go to
        """, check: .open)

    static let audience = FormatObject(
        "audience_rules",
        """
        match_mode | all any | all | whether all rules must hold, or one
        conditions | [{audience rule}] | | the rules
        priority | number | 0 | of several flows that fit, the one with the highest comes
        """)

    static let audienceRule = FormatObject(
        "audience rule",
        """
        trait field | text | | the attribute
        operator | =equals not_equals gt gte lt lte contains exists between in not_in | | the comparison
        value | any | | with what
        values | [any] | | with what
        min | number | | the lowest value
        max | number | | the highest value
        """)

    static let all = [flow, settings, step, config, item, rule, condition, node, audience, audienceRule]
}
