/// The keys of a flow, its settings and its steps (docs/reference/flows.md#keys).
enum FlowStepKeys {
    static let flow = FormatObject(
        "flow",
        """
        kind | =flow | | the kind of the recipe
        name | text | | for people
        description | lines | | for people
        hosted | flag | false | whether the daemon has a page for it
        settings | {settings} | | of all steps
        steps | [step] | | the steps, in their order
        graph_nodes | object | | targets of rules that are no steps
        audience_rules | any | | for whom it is
        active | flag | false | whether it is offered to its audience
        offer | object | | the message that offers it
        notify | object | | the webhook of each response
        strings | object | | texts of buttons and pages
        theme | object | | colours of its page
        keep | [text] | | attributes that are stored with each run
        retention_days | number | | how long runs are kept
        """)

    static let settings = FormatObject(
        "settings",
        """
        show_progress | flag | true | whether the progress is shown
        allow_back | flag | true | whether respondents can go back
        dismiss_allowed | flag | true | whether respondents can stop
        progress_style | dots segmented_bar continuous_bar fraction none | continuous_bar | the kind of progress
        progress_color | color | | of what is done
        progress_track_color | color | | of what is left
        """)

    static let step = FormatObject(
        "step",
        """
        id | text | | the name
        type | \(types) | custom | the type
        name | text | | for people
        config | {config of a step} | | what it shows and asks
        next_step_rules | [next_step_rules] | | where it goes on
        hook | {hook} | | decides whether the respondent goes on
        render_hook | {hook} | | changes the step before it is shown
        hide_progress | flag | false | whether it shows no progress
        hide_back | flag | false | whether respondents cannot go back from it
        """)

    private static let types = "welcome question value_prop form custom interactive_chat"

    static let config = FormatObject(
        "config of a step",
        """
        title | lines | | the heading
        subtitle | lines | | below the heading
        image_url | picture | | the picture
        cta_text | words | | the words of the button
        skip_enabled | flag | false | whether it can be skipped
        content_blocks | [block] | | what it shows
        fields | [field] | | of a form
        options | [options/words] | | of a question
        selection_mode | single multi | single | of a question: how many options may be chosen
        display | dropdown stacked grid list | | of a question: how the options stand
        columns grid_columns | number 2..3 | 2 | of a grid
        items | [items] | | of a value_prop
        chat_config | {chat_config} | | of an interactive_chat
        next_step_rules | [next_step_rules] | | where it goes on
        """)

    static let rule = FormatObject(
        "next_step_rules",
        """
        target_step_id | text | | the step, the node, or `end`
        conditions condition | any | | when
        logic | and or | and | whether all conditions must hold, or one
        """)

    static let all = [flow, settings, step, config, rule]
}
