/// The keys of the parts of blocks, fields and chats, and of hooks (docs/reference/flows.md#keys).
enum FlowPartKeys {
    // MARK: Styles

    static let blockStyle = FormatObject(
        "block_style",
        """
        background_color | color | | of the ground
        background | any | | a colour, or a gradient
        background_gradient gradient | {gradient} | | of the ground
        gradient_colors | colors | | a gradient, two colours and more
        gradient_direction | horizontal vertical diagonal_tl_br diagonal_tr_bl | vertical | of the gradient
        radius corner_radius border_radius | number 0..200 px | 0 | of the corners
        border | any | | `1px solid #RRGGBB`, a colour, or `color`, `width` and `style`
        border_color | color | | of the border
        border_width | number 0..16 px | 1 | of the border
        border_style | solid dashed dotted | solid | of the border
        shadow | any | | `small`, `medium`, `large`, a number, true, or `color`, `x`, `y`, `blur`, `spread`, `opacity`
        opacity | number 0..1 | 1 | 0 is invisible
        # spacing
        padding | any | | of all sides: a number, four numbers, or an object of sides
        padding_top | number 0..200 px | | at the top
        padding_right padding_trailing padding_end | number 0..200 px | | at the right
        padding_bottom | number 0..200 px | | at the bottom
        padding_left padding_leading padding_start | number 0..200 px | | at the left
        padding_vertical padding_y | number 0..200 px | | above and below
        padding_horizontal padding_x | number 0..200 px | | at both sides
        margin | any | | of all sides: a number, four numbers, or an object of sides
        margin_top | number -40..200 px | | at the top
        margin_right margin_trailing margin_end | number -40..200 px | | at the right
        margin_bottom | number -40..200 px | | at the bottom
        margin_left margin_leading margin_start | number -40..200 px | | at the left
        margin_vertical margin_y | number -40..200 px | | above and below
        margin_horizontal margin_x | number -40..200 px | | at both sides
        """, check: .open)

    static let animation = FormatObject(
        "entrance_animation",
        """
        type | fade slide_up slide_down slide_left slide_right scale flip bounce | | how it comes in
        duration_ms | number 100..2000 ms | 500 | how long it takes
        delay_ms | number 0..5000 ms | 0 | when it begins
        easing | =linear ease ease_in ease_out ease_in_out spring | ease_out | the course of the movement
        """,
        stored: "spring_damping | any")

    static let textStyle = FormatObject(
        "text style",
        """
        color text_color | color | | of the words
        font_size size | number 9..72 px | | of the words
        font_weight weight | any | | 100 to 900, or a word such as `bold`
        alignment text_align align | left leading start center right trailing end justify | | where the lines begin
        line_height | number 0.8..3 | | in lines; 1.5 is airy
        letter_spacing | number -4..20 px | | between the letters
        italic | flag | false | whether the words are italic
        font_style | normal italic | normal | the same
        text_transform | none uppercase lowercase capitalize | none | capitals
        underline | flag | false | whether the words are underlined
        """, check: .free)

    static let fieldStyle = FormatObject(
        "field_style",
        """
        background_color | color | | of the ground
        background | any | | a colour, or a gradient
        text_color | color | | of what is written
        placeholder_color | color | | of the placeholder
        border_color | color | | of the border
        fill_color toggle_on_color focused_border_color | color | | of what is chosen
        track_color | color | | of what is not
        corner_radius | number 0..40 px | | of the corners
        label_color | color | | of the label
        label_font_size | number px | | of the label
        """, check: .free)

    static let pressedStyle = FormatObject(
        "pressed_style",
        """
        scale | number 0.85..1 | 1 | of the size
        opacity | number 0.5..1 | 1 | 0.5 is half transparent
        bg_color | color | | of the ground
        """, check: .free)

    static let gradient = FormatObject(
        "gradient",
        """
        colors stops | colors | | two colours and more
        direction gradient_direction | horizontal vertical diagonal_tl_br diagonal_tr_bl | vertical | the direction
        angle | number -360..360 | | in degrees, in place of a direction
        """, check: .free)

    // MARK: Parts

    static let option = FormatObject(
        "options",
        """
        id | text | | the answer
        label | words | the id | the words
        # more
        value | any | | another name of the answer
        subtitle | words | | a line below
        icon | any | | an emoji, or the address of a picture
        image_url | picture | | a picture
        """,
        stored: """
            description selected_image_url unselected_image_url title_color subtitle_color title_font_size \
            subtitle_font_size title_font_weight selected_icon unselected_icon image_overlay_color image_overlay_opacity \
            image_shape border_color selected_border_color bg_color selected_bg_color selected_text_color cell_alignment \
            text_alignment leading_text trailing_text badge | any
            """)

    static let item = FormatObject(
        "items",
        """
        title text label | words | | the words
        subtitle description | words | | a line below
        icon | text | | an emoji
        status | completed current upcoming | upcoming | in a timeline
        """, check: .free)

    static let plan = FormatObject(
        "plans",
        """
        id | text | | what the page or app is given
        title name label | words | | the name
        price | words | | the price
        period | words | | behind the price
        description | words | | a line below the name
        features | [words] | | texts
        badge | words | | a word at the top
        is_highlighted highlighted | flag | false | whether it is the recommended one
        cta_text | words | | the words of its button
        """, check: .free)

    static let provider = FormatObject(
        "providers",
        """
        type id | text | | such as `apple`
        label text title | words | | the words
        enabled | flag | true | whether it is shown
        """, check: .free)

    static let image = FormatObject(
        "images",
        """
        url image_url | picture | | the picture
        alt | words | | what the picture shows
        """, check: .free)

    static let labels = FormatObject(
        "labels",
        """
        days | words | | below the days
        hours | words | | below the hours
        minutes | words | | below the minutes
        seconds | words | | below the seconds
        """, check: .free)

    static let visibility = FormatObject(
        "visibility_condition",
        """
        type | text | | the comparison
        variable answer_key binding | text | | what is compared
        value | any | | with what
        expression | text | | an expression in place of the rest
        """)

    static let dependence = FormatObject(
        "depends_on",
        """
        field_id | text | | the other field
        operator | text | equals | the comparison
        value | any | | with what
        """)

    static let validation = FormatObject(
        "validation",
        """
        pattern | text | | what a text must contain, as a [pattern](surveys.md#patterns)
        pattern_message | words | | what is said otherwise
        """)

    // MARK: Chats

    static let chat = FormatObject(
        "chat_config",
        """
        persona | {persona} | | who speaks
        auto_messages | [{auto_messages}] | | messages that are sent without a question
        quick_replies | [{quick_replies}/words] | | answers to press
        turn_actions | [{turn_actions}] | | what happens after a turn
        completion_message | {completion_message}/lines | | the last words
        completion_cta_text | words | | the words of the button at the end
        input_placeholder | words | | what the empty input shows
        # webhook
        webhook | {webhook} | | the [hook](#hooks) that replies
        # turns
        max_user_turns | number 1..100 | 5 | after how many messages it ends
        min_user_turns | number 0..100 | 1 | after how many messages it may be left
        turn_limit_behavior | hard soft | hard | whether the last turn ends it
        input_max_length | number 1..10000 | 4000 | the most characters of a message
        sensitive | flag | false | whether the conversation is left out of lists and events
        # look
        style | {style of a chat} | | its looks
        """,
        hints: KeyHints(places: Dictionary(uniqueKeysWithValues: hook.known.keys.map { ($0, "webhook.\($0)") })))

    static let persona = FormatObject(
        "persona",
        """
        name | words | | the name
        role | words | | a line below the name
        avatar_url avatar image_url | picture | | the picture
        """, check: .open)

    static let autoMessage = FormatObject(
        "auto_messages",
        """
        content | lines | | the words
        turn | number 0..100 | 0 | after which message of the respondent; 0 is at once
        delay_ms | number 0..60000 ms | 0 | how long it waits
        media | {media of a message} | | a picture or a link
        id | text | | the name
        """)

    static let quickReply = FormatObject(
        "quick_replies",
        """
        text | words | | the words
        show_at_turn | number 0..100 | always | after which message of the respondent
        id | text | the text | what the webhook is given
        """)

    static let reply = FormatObject(
        "quick_replies of a reply",
        """
        text | words | | the words
        id | text | the text | what the webhook is given
        """)

    static let turnAction = FormatObject(
        "turn_actions",
        """
        type | auto_message quick_reply_inject rating_prompt | | what happens
        turn | number 0..100 | | after which message of the respondent
        config | {config of a turn} | | what is said or asked
        """)

    static let turnConfig = FormatObject(
        "config of a turn",
        """
        content | lines | | the words of an `auto_message`
        delay_ms | number 0..60000 ms | 0 | how long it waits
        id | text | | the name
        quick_replies | [{quick_replies}/words] | | of a `quick_reply_inject`
        max_rating | number 2..10 | 5 | the highest number of a `rating_prompt`
        prompt | words | | kept for the app
        """, check: .open)

    static let completionMessage = FormatObject(
        "completion_message",
        """
        content | lines | | the words
        delay_ms | number 0..60000 ms | 0 | how long it waits
        """)

    // MARK: Hooks

    static let hook = FormatObject("hook", hookRows, stored: storedHookKeys)
    private static let storedHookKeys = "loading_text | any"

    static let webhook = FormatObject(
        "webhook",
        hookRows + "\n" + """
            # preview
            sample_replies | [{sample_replies}] | | what previews get in place of replies
            """, stored: storedHookKeys)

    private static let hookRows = """
        enabled | flag | true | whether it is asked
        webhook_url | text | | the address
        on_failure | block proceed | | whether the respondent goes on without an answer
        error_text | words | | what is said if the call fails
        timeout_ms | number 1..60000 ms | 10000 | how long an answer is waited for
        retry_count | number 0..3 | 0 | further attempts
        headers | object | | [headers](#headers) of the call
        """

    static let sampleReply = FormatObject(
        "sample_replies",
        """
        messages | [{messages}] | | what is said
        quick_replies | [{quick_replies of a reply}/words] | | answers to press
        action | reply reply_and_complete error | reply | what happens
        force_complete | flag | false | whether the conversation ends
        completion_message | any | | the last words
        data | object | | what the next call is given
        """)

    static let message = FormatObject(
        "messages",
        """
        content | lines | | the words
        delay_ms | number 0..60000 ms | 0 | how long it waits
        media | {media of a message} | | a picture or a link
        """)

    static let chatStyle = FormatObject(
        "style of a chat",
        """
        ai_bubble_color bot_bubble_color bubble_color | color | | of what is said to the respondent
        ai_text_color bot_text_color | color | | of these words
        user_bubble_color accent_color | color | | of what the respondent says
        user_text_color | color | | of these words
        background_color | color | | behind the conversation
        bubble_radius corner_radius bubble_corner_radius | number 0..40 px | | of the corners
        font_family | text | | the fonts
        font_size | number 10..32 px | | of the words
        """, check: .free)

    static let media = FormatObject(
        "media of a message",
        """
        type | image gif link lottie | | the kind
        url | any | | the picture, or the link
        poster | picture | | the picture of an animation
        alt_text | words | | what it shows, or the words of the link
        """)

    static let all = [
        blockStyle, gradient, animation, textStyle, fieldStyle, pressedStyle, option, item, plan, provider, image,
        labels,
        validation, visibility, dependence, chat, persona, autoMessage, quickReply, reply, turnAction, turnConfig,
        completionMessage, webhook, sampleReply, message, media, chatStyle, hook,
    ]
}

/// The keys of fields, by type (docs/reference/flows.md#keys). Those of a type may stand in the field or in `config`.
enum FlowFieldKeys {
    static let common = FormatObject(
        "every field", definition: "field",
        """
        id | text | | the key of the answer
        type | text | | the type
        label | words | the id | what is asked
        required | flag | false | whether an answer is needed
        # answer
        hint help_text | words | | a line below
        placeholder | words | | what an empty field shows
        default_value default | any | | what it shows before it is answered
        validation | {validation} | | the pattern of a text
        sensitive | flag | false | whether its answers are left out of lists and events
        # look
        field_style | {field_style} | | its looks
        # condition
        depends_on | {depends_on} | | the answer that shows it
        visibility_condition | {visibility_condition} | | when it is shown
        # more
        config | {~config of a field} | | the keys of its type
        """, stored: drawn + "\noptions | [{options}]", hints: hints,
        variants: FormatVariants(
            by: "type", .inside("config"),
            types.map { FormatVariant(name: $0.name, own: $0, prefix: "field", shared: hasOptions($0) ? [choice] : []) }
        ))

    /// Keys that a page, which alone reads them, finds in the field as well as in its `config`.
    private static let drawn = """
        unit unit_position display columns grid_columns style rating_style default_rating filled_color empty_color \
        preset_colors presets swatches colors | any
        """

    /// The keys of a type belong in `config`.
    private static let hints = KeyHints(
        places: Dictionary(types.flatMap(\.names).map { ($0, "config.\($0)") }) { $1 }
            .merging(patternPlaces) { $1 }.merging(["min": "config.min_value", "max": "config.max_value"]) { $1 })

    static let patternPlaces = ["pattern": "validation.pattern", "pattern_message": "validation.pattern_message"]

    static let config = FormatObject(
        "config of a field", "", stored: "options | [{options}]\n" + storedKeys, with: types, check: .open,
        hints: KeyHints(meant: ["min_chars": "min_characters"], places: patternPlaces))

    /// Keys of the SDK that no page draws.
    static let storedKeys = """
        validate_format keyboard_type autocapitalize picker_style search_enabled location_placeholder \
        location_bias_country location_language location_min_chars | any
        """

    static func hasOptions(_ type: FormatObject) -> Bool { ["select", "segmented"].contains(type.name) }

    /// The keys beside those of every field of a field that offers options. `config` may have them, too.
    static let choice = FormatObject(
        "every `select` and `segmented`", definition: "choice", "options | [{options}] | | what can be chosen")

    static let types: [FormatObject] = [
        FormatObject("text", lengths), FormatObject("textarea", lengths), FormatObject("password", lengths),
        FormatObject("email", lengths), FormatObject("phone", ""),
        FormatObject("url", "validate_format | flag | true | false takes any text"),
        FormatObject("number", number), FormatObject("slider", slider), FormatObject("stepper", number),
        FormatObject("range_slider", slider), FormatObject("date", dates), FormatObject("time", ""),
        FormatObject("datetime", dates),
        FormatObject("toggle", "must_be_true | flag | false | whether only true is an answer"),
        FormatObject("select", choices), FormatObject("segmented", choices),
        FormatObject(
            "rating",
            """
            max_stars max | number | 5 | the number of stars; 3 to 10 are drawn
            allow_half | flag | false | whether half stars can be given
            default_rating | number | | what is shown before it is answered
            # look
            style rating_style display | stars emoji | stars | stars or faces
            filled_color | color | | of chosen stars
            empty_color | color | | of other stars
            """),
        FormatObject(
            "chips",
            """
            suggestions | [words] | | texts
            allow_custom | flag | true | false takes suggestions only
            max_chips | number | 50 | the most texts
            """),
        FormatObject(
            "image_picker",
            """
            max_size_mb | number | | the most MiB, at most 0.5
            allowed_types | [text] | | media types
            """),
        FormatObject("signature", ""),
        FormatObject(
            "color",
            """
            show_opacity | flag | false | whether the answer has an opacity
            # look
            preset_colors presets swatches colors | colors | | colours to choose from
            """),
        FormatObject(
            "location",
            """
            location_type | =city address region country | city | what is asked
            bias_country | text | | the country whose places come first, such as `US`
            language | text | | the language of the places
            min_characters | number | 2 | when places are suggested
            """),
    ]

    private static let lengths = """
        min_length | number | | the least characters
        max_length | number | | the most characters
        """
    private static let number = """
        min_value | number | | the lowest value
        max_value | number | | the highest value
        step | number | 1 | from one value to the next
        decimal_places | number | | the most digits behind the point
        unit | words | | a word at the value
        # look
        unit_position | prefix suffix | suffix | where the unit stands
        """
    private static let slider = """
        min_value | number | 0 | the lowest value
        max_value | number | 100 | the highest value
        step | number | 1 | from one value to the next
        decimal_places | number | | the most digits behind the point
        unit | words | | a word at the value
        # look
        unit_position | prefix suffix | suffix | where the unit stands
        """
    private static let dates = """
        min_date | day | | the first day, as `yyyy-MM-dd`
        max_date | day | | the last day
        """
    private static let choices = """
        multi_select | flag | false | whether several may be chosen
        selection_mode | single multi | single | the same
        max_selections | number | | the most options
        display | dropdown stacked grid | | how the options stand
        # look
        columns grid_columns | number 2..3 | 2 | of a grid
        """
}
