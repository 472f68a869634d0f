/// The keys of the parts of blocks, fields and chats (docs/reference/flows.md#keys).
enum FlowPartKeys {
    // MARK: Styles

    static let blockStyle = FormatObject(
        "block_style",
        """
        padding | any | | a number, four numbers, or an object of sides
        margin | any | | the same, from -40 to 200
        padding_top padding_right padding_bottom padding_left padding_leading padding_trailing padding_start padding_end padding_vertical padding_horizontal padding_x padding_y | number | | one side
        margin_top margin_right margin_bottom margin_left margin_leading margin_trailing margin_start margin_end margin_vertical margin_horizontal margin_x margin_y | number | | one side
        background_color | color | | of the ground
        background | any | | a colour, or a gradient
        background_gradient gradient | object | | `colors` (`stops`, or `start` and `end`), `direction` (`gradient_direction`) or `angle`
        gradient_colors | colors | | a gradient, two colours and more
        gradient_direction | horizontal vertical diagonal_tl_br diagonal_tr_bl | vertical | of the gradient
        radius corner_radius border_radius | number | 0 | from 0 to 200
        border | any | | `1px solid #RRGGBB`, a colour, or `color`, `width` and `style`
        border_color | color | | of the border
        border_width | number | 1 | from 0 to 16
        border_style | solid dashed dotted | solid | of the border
        shadow | any | | `small`, `medium`, `large`, a number, true, or `color`, `x`, `y`, `blur`, `spread`, `opacity`
        opacity | number | 1 | from 0 to 1
        """)

    static let animation = FormatObject(
        "entrance_animation",
        """
        type | fade slide_up slide_down slide_left slide_right scale flip bounce | | how it comes in
        duration_ms | number | 500 | from 100 to 2000
        delay_ms | number | 0 | from 0 to 5000
        easing | =linear ease ease_in ease_out ease_in_out spring | ease_out | the course of the movement
        """)

    static let textStyle = FormatObject(
        "text style",
        """
        color text_color | color | | of the words
        font_size size | number | | from 9 to 72
        font_weight weight | any | | 100 to 900, or a word such as `bold`
        alignment text_align align | left leading start center right trailing end justify | | where the lines begin
        line_height | number | | from 0.8 to 3
        letter_spacing | number | | from -4 to 20
        italic | flag | false | whether the words are italic
        font_style | normal italic | normal | the same
        text_transform | none uppercase lowercase capitalize | none | capitals
        underline | flag | false | whether the words are underlined
        """)

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
        corner_radius | number | | from 0 to 40
        label_color | color | | of the label
        label_font_size | number | | of the label
        """)

    static let pressedStyle = FormatObject(
        "pressed_style",
        """
        scale | number | 1 | from 0.85 to 1
        opacity | number | 1 | from 0.5 to 1
        bg_color | color | | of the ground
        """)

    // MARK: Parts

    static let option = FormatObject(
        "options",
        """
        id | text | | the answer
        label | text | the id | the words
        value | any | | another name of the answer
        subtitle | text | | a line below
        icon | any | | an emoji, or the address of a picture
        image_url | picture | | a picture
        """)

    static let item = FormatObject(
        "items",
        """
        title text label | text | | the words
        subtitle description | text | | a line below
        icon | text | | an emoji
        status | completed current upcoming | upcoming | in a timeline
        """)

    static let plan = FormatObject(
        "plans",
        """
        id | text | | what the page or app is given
        title name label | text | | the name
        price | text | | the price
        period | text | | behind the price
        description | text | | a line below the name
        features | list | | texts
        badge | text | | a word at the top
        is_highlighted highlighted | flag | false | whether it is the recommended one
        cta_text | text | | the words of its button
        """)

    static let validation = FormatObject(
        "validation",
        """
        pattern | text | | what a text must contain, as a [pattern](surveys.md#patterns)
        pattern_message | text | | what is said otherwise
        """)

    // MARK: Chats

    static let chat = FormatObject(
        "chat_config",
        """
        persona | object | | who speaks: `name`, `role`, `avatar_url`
        webhook | object | | the [hook](#hooks) that replies, with `sample_replies` for previews
        auto_messages | list | | what is said by itself: `id`, `turn`, `delay_ms`, `content`, `media`
        quick_replies | list | | answers to press: `id`, `text`, `show_at_turn`
        turn_actions | list | | what happens after a turn: `turn`, `type`, `config`
        max_user_turns | number | 5 | after how many messages it ends
        min_user_turns | number | 1 | after how many messages it may be left
        turn_limit_behavior | hard soft | hard | whether the last turn ends it
        completion_message | object | | the last words: `content`, `delay_ms`
        completion_cta_text | text | | the words of the button at the end
        input_placeholder | text | | what the empty input shows
        input_max_length | number | 500 | the most characters of a message
        sensitive | flag | false | whether the conversation is left out of lists and events
        style | object | | its looks: the table `style of a chat`
        """)

    static let chatStyle = FormatObject(
        "style of a chat",
        """
        ai_bubble_color bot_bubble_color bubble_color | color | | of what is said to the respondent
        ai_text_color bot_text_color | color | | of these words
        user_bubble_color accent_color | color | | of what the respondent says
        user_text_color | color | | of these words
        background_color | color | | behind the conversation
        bubble_radius corner_radius bubble_corner_radius | number | | from 0 to 40
        font_family | text | | the fonts
        font_size | number | | from 10 to 32
        """)

    static let media = FormatObject(
        "media of a message",
        """
        type | image gif link lottie | | the kind
        url | any | | the picture, or the link
        poster | picture | | the picture of an animation
        alt_text | text | | what it shows, or the words of the link
        """)

    static let all = [
        blockStyle, animation, textStyle, fieldStyle, pressedStyle, option, item, plan, validation, chat, chatStyle,
        media,
    ]
}

/// The keys of fields, by type (docs/reference/flows.md#keys). Those of a type may stand in the field or in `config`.
enum FlowFieldKeys {
    static let common = FormatObject(
        "every field",
        """
        id | text | | the key of the answer
        type | text | | the type
        label | text | the id | what is asked
        hint help_text | text | | a line below
        placeholder | text | | what an empty field shows
        required | flag | false | whether an answer is needed
        sensitive | flag | false | whether its answers are left out of lists and events
        default_value default | any | | what it shows before it is answered
        validation | object | | the table `validation`
        depends_on | object | | the answer that shows it
        visibility_condition | object | | when it is shown
        options | list | | the table `options`, also in `config`
        config | object | | the keys of its type
        """)

    static let types: [FormatObject] = [
        FormatObject("text", lengths), FormatObject("textarea", lengths), FormatObject("password", lengths),
        FormatObject("email", lengths), FormatObject("phone", ""),
        FormatObject("url", "validate_format | flag | true | false takes any text"),
        FormatObject("number", number), FormatObject("slider", slider), FormatObject("stepper", number),
        FormatObject("range_slider", slider), FormatObject("date", dates), FormatObject("time", ""),
        FormatObject("datetime", dates),
        FormatObject("toggle", "must_be_true | flag | false | whether only true is an answer"),
        FormatObject("select", choice),
        FormatObject("segmented", choice),
        FormatObject(
            "rating",
            """
            max_stars max | number | 5 | the number of stars, from 3 to 10
            allow_half | flag | false | whether half stars can be given
            style rating_style display | any | stars | `emoji` for faces
            default_rating | number | | what is shown before it is answered
            filled_color | color | | of chosen stars
            empty_color | color | | of other stars
            """),
        FormatObject(
            "chips",
            """
            suggestions | list | | texts
            allow_custom | flag | true | false takes suggestions only
            max_chips | number | 50 | the most texts
            """),
        FormatObject(
            "image_picker",
            """
            max_size_mb | number | | the most MiB, at most 0.5
            allowed_types | list | | media types
            """),
        FormatObject("signature", ""),
        FormatObject(
            "color",
            """
            show_opacity | flag | false | whether the answer has an opacity
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
        unit | text | | a word at the value
        unit_position | prefix suffix | suffix | where the unit stands
        """
    private static let slider = """
        min_value | number | 0 | the lowest value
        max_value | number | 100 | the highest value
        step | number | 1 | from one value to the next
        decimal_places | number | | the most digits behind the point
        unit | text | | a word at the value
        unit_position | prefix suffix | suffix | where the unit stands
        """
    private static let dates = """
        min_date | text | | the first day, as `yyyy-MM-dd`
        max_date | text | | the last day
        """
    private static let choice = """
        options field_options | list | | the table `options`
        multi_select | flag | false | whether several may be chosen
        selection_mode | single multi | single | the same
        max_selections | number | | the most options
        display | dropdown stacked grid | | how the options stand
        columns grid_columns | number | | the columns of a grid: 2 or 3
        """
}
