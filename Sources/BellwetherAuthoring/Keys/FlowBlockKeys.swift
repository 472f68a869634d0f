/// The keys of content blocks, by type (docs/reference/flows.md#keys). `common` has those of every block, `answer`
/// those of every block with an answer.
enum FlowBlockKeys {
    static let common = FormatObject(
        "every block", definition: "block",
        """
        type | text | | the type
        id | text | | the name, and the key of the answer without `field_id`
        # look
        block_style | {block_style} | | its box
        element_width | any | | a number of pixels, a text such as `50%`, or `fill`
        element_height | any | | a number of pixels
        horizontal_align | left center right leading trailing start end | | where a narrower block stands
        horizontal_offset | number -200..200 px | 0 | how far it is moved
        vertical_offset | number -200..200 px | 0 | how far it is moved
        # animation
        entrance_animation | {entrance_animation} | | how it comes in
        # condition
        visibility_condition | {visibility_condition} | | when it is shown
        # more
        bindings | object | | kept for the app
        """,
        stored: storedKeys + "\n" + FlowFieldKeys.storedKeys,
        // A block of any type may have the keys of all types, because the SDK decodes them in this way.
        with: types + [answer, FlowPartKeys.textStyle] + FlowFieldKeys.types,
        hints: KeyHints(meant: ["min_chars": "min_characters"], places: FlowFieldKeys.patternPlaces),
        variants: FormatVariants(by: "type", .together, variants))

    /// A block `input_TYPE` is a field.
    private static let variants =
        types.map {
            FormatVariant(
                name: $0.name, own: $0, prefix: "block", shared: answerNames.contains($0.name) ? [answer] : [])
        }
        + FlowFieldKeys.types.map {
            FormatVariant(
                name: "input_\($0.name)", own: $0, prefix: "field",
                shared: [answer] + (FlowFieldKeys.hasOptions($0) ? [FlowFieldKeys.choice] : []))
        }

    /// Keys of the SDK that no page draws.
    private static let storedKeys = """
        stack_children | [{block}]
        width image_fit badge_position badge_size image_shape image_corner_radius lottie_url lottie_speed \
        lottie_width lottie_height play_on_scroll play_on_tap rive_url artboard state_machine \
        trigger_on_step_complete icon_ref zone vertical_align dot_size active_dot_width email_login_placement \
        email_cta_spacing_below star_size rich_text_variant link_color subtitle_style gauge_variant label_color \
        min_label max_label min_max_font_size min_max_color animation_duration_ms arrow_color arrow_stroke_width \
        percentage_location date_validation_message highlight_color haptic_on_scroll orientation wheel_orientation \
        picker_presentation picker_mode picker_spacing calendar_bg_color wheel_bg_color wheel_height z_index \
        row_direction row_distribution row_child_fill column_ratios default_picker_value overflow collapse_on_scroll \
        | any
        """

    static let answer = FormatObject(
        "every block with an answer", definition: "answer",
        """
        field_id | text | `id` | the key of the answer
        label field_label | words | the id | what is asked
        required field_required | flag | false | whether an answer is needed
        # answer
        hint help_text | words | | a line below
        sensitive | flag | false | whether its answers are left out of lists and events
        placeholder field_placeholder | words | | what an empty field shows
        default_value default | any | | what it shows before it is answered
        validation | {validation} | | the pattern of a text
        # look
        field_style | {field_style} | | its looks
        # condition
        depends_on | {depends_on} | | the answer that shows it
        # more
        config field_config | {~config of a field} | | its keys may also stand here
        """)

    /// The types, those with an answer first.
    static let types: [FormatObject] = answers + texts + media + figures + containers

    /// The types of the blocks with an answer.
    static let answerNames = answers.map(\.name)

    private static let answers = [
        FormatObject(
            "option_list",
            """
            options field_options | [{options}] | | what can be chosen
            selection_mode | single multi | single | how many may be chosen
            multi_select | flag | false | the same as `multi`
            display | dropdown stacked grid | stacked | how the options stand
            # look
            columns grid_columns | number 2..3 | 2 | of a grid
            """),
        FormatObject(
            "wheel_picker",
            """
            min_value min | number | 0 | the lowest value
            max_value max_value_picker max | number | 100 | the highest value
            step step_value | number | 1 | from one value to the next
            unit | words | | a word at each value
            # look
            unit_position | prefix suffix | suffix | where the unit stands
            visible_items | number | 5 | 3 and fewer make a low wheel
            """),
        FormatObject(
            "date_wheel_picker",
            """
            min_date | day | | the first day, as `yyyy-MM-dd`
            max_date | day | | the last day
            allow_past | flag | true | whether days before today can be chosen
            allow_future | flag | true | whether days after today can be chosen
            default_date_value | day | today | where the wheels begin
            """),
        FormatObject(
            "rating",
            """
            max_stars max | number | 5 | the number of stars; 3 to 10 are drawn
            allow_half | flag | false | whether half stars can be given
            default_rating | number | | what is shown before it is answered
            rating_label | words | | what is asked
            # look
            style rating_style display | stars emoji | stars | stars or faces
            filled_color | color | | of chosen stars
            empty_color | color | | of other stars
            """),
        FormatObject(
            "toggle",
            """
            toggle_label text | words | | the words beside the switch
            toggle_description | words | | a line below
            toggle_default | flag | false | what it shows before it is answered
            must_be_true | flag | false | whether only true is an answer
            """),
        FormatObject("otp_input", "max_length | number 4..12 | 6 | the number of characters"),
        FormatObject(
            "custom_view",
            """
            view_key | text | `id` | the name of the view that the page or app has registered
            placeholder_image_url | picture | | shown without such a view
            placeholder_text text | words | | shown without such a view
            # more
            custom_config | object | | what the view is given
            """),
    ]

    private static let texts = [
        FormatObject("title", text), FormatObject("subtitle", text), FormatObject("text", text),
        FormatObject("heading", text + "\nlevel | number 1..6 | 2 | of the heading"),
        FormatObject(
            "rich_text",
            """
            !markdown markdown_content text | lines | | Markdown
            # look
            style base_style | {text style} | | its looks
            """),
        FormatObject("speech_bubble", text), FormatObject("settings_footer", text),
        FormatObject("warning_banner", notice), FormatObject("feedback_panel", notice),
        FormatObject(
            "badge",
            """
            !badge_text text | words | | the words
            # look
            badge_bg_color | color | | of the ground
            badge_text_color | color | | of the words
            badge_corner_radius | number 0..40 px | | of the corners
            """),
        FormatObject(
            "icon",
            """
            !icon icon_emoji name | text | | an emoji
            # look
            icon_size size | number 12..160 px | | the size
            icon_alignment alignment | left center right | center | where it stands
            """),
        FormatObject(
            "list",
            """
            !items | [{items}/words] | | the items
            # look
            list_style style | bullet numbered check | bullet | what stands before each
            title_style | {text style} | | of the titles
            """),
        FormatObject(
            "spacer", "height spacer_height size | number 0..400 px | | the height"),
        FormatObject(
            "divider",
            """
            # look
            divider_color color | color | | of the line
            divider_thickness thickness | number 1..12 px | 1 | of the line
            divider_margin_y margin_y | number 0..80 px | | the space above and below
            """),
        FormatObject(
            "button",
            """
            !text | lines | | the words
            action | text | `next` | `next`, `skip`, `back`, `dismiss`, `open_url`, or a name for the page or app
            action_value | any | | the address of `open_url`, or what the page or app is given
            # look
            variant | primary secondary outline text link | | the kind of button
            bg_color background_color | color | | of the ground
            gradient_colors | colors | | of the ground, two and more
            gradient_direction | horizontal vertical diagonal_tl_br diagonal_tr_bl | horizontal | of the gradient
            text_color | color | | of the words
            button_corner_radius corner_radius radius | number 0..60 px | | of the corners
            button_height height | number 36..96 px | | the height
            pressed_style | {pressed_style} | | while it is pressed
            """),
    ]

    private static let text = """
        !text | lines | | the words
        # look
        style base_style | {text style} | | its looks, whose keys may also stand in the block
        """

    private static let notice = """
        !text title label | lines | | the words
        subtitle description | words | | a line below
        icon | text | | an emoji
        # look
        title_style | {text style} | | of the words
        """

    private static let media = [
        FormatObject(
            "image",
            """
            !url image_url | picture | | the picture
            alt | words | | what the picture shows
            # look
            radius corner_radius | number 0..200 px | 0 | of the corners
            height | number 16..800 px | | the height; the picture then fills the width
            """),
        FormatObject("lottie", animation), FormatObject("rive", animation),
        FormatObject(
            "video",
            """
            !url video_url | picture | | the video
            thumbnail video_thumbnail_url | picture | | the picture before it plays
            alt | words | | what the video shows
            autoplay | flag | false | whether it plays at once, then without sound
            loop | flag | false | whether it begins again
            muted | flag | false | whether it has no sound
            controls | flag | true | whether it has controls
            # look
            height video_height | number 64..800 px | | the height
            corner_radius video_corner_radius | number 0..200 px | 0 | of the corners
            """),
        FormatObject(
            "media_gallery", "!items images | [{images}/picture] | | the pictures"),
        FormatObject(
            "pulsing_avatar",
            """
            image_url url | picture | | the picture
            alt | words | | what the picture shows
            icon | text | | an emoji, without a picture
            text | words | | its first letter, without a picture
            # look
            size height | number 40..240 px | | the size
            pulse_color | color | | of the rings
            pulse_ring_count | number 1..4 | 2 | how many rings
            pulse_speed | number 0.2..5 | 1 | of the rings; 2 is twice as fast
            border_color | color | | of the edge
            border_width | number 0..12 px | | of the edge
            """),
    ]

    private static let animation = """
        url | text | | for an app that plays it
        poster poster_url thumbnail | picture | | the picture that a page shows
        alt | words | | the words that a page shows without a poster
        """

    private static let figures = [
        FormatObject(
            "progress_bar",
            """
            value progress_value | number | the step | how much is done
            max_value | number | 1 | the whole; a value above 1 is of 100
            total_segments | number 2..24 | 5 | how many parts
            filled_segments | number | | how many are filled
            label | words | | the words above
            show_label show_percentage | flag | false | whether the percentage is shown
            # look
            progress_variant variant | continuous segmented | continuous | one bar, or parts
            fill_color bar_color | color | | of what is done
            fill_gradient | colors | | of what is done
            track_color | color | | of what is left
            height bar_height | number 2..60 px | | the height
            corner_radius | number 0..30 px | | of the corners
            segment_gap | number 0..20 px | | between the parts
            """),
        FormatObject(
            "page_indicator",
            """
            dot_count total | number 1..24 | the steps | how many
            active_index current | number | the step | which one, from 0
            # look
            style variant | dots bar | dots | the kind
            active_color | color | | of the current one
            inactive_color | color | | of the others
            dot_spacing | number 2..40 px | | between the dots
            alignment | left center right | center | where it stands
            """),
        FormatObject(
            "circular_gauge",
            """
            value gauge_value | number | the step | how much
            max_value | number | 100 | the whole
            unit | words | ` %` | behind the number
            label | words | | the words below
            sublabel | words | | a line below the label
            # look
            stroke_width line_width | number 2..24 px | 10 | of the line
            fill_color bar_color progress_color accent_color color | color | | of what is filled
            track_color | color | | of the rest
            label_font_size | number 10..40 px | | of the label
            animate | flag | true | whether it grows
            """),
        FormatObject(
            "countdown_timer",
            """
            !duration_seconds | number s | 0 | how long it runs
            labels | {labels} | | the words below the figures
            show_days | flag | from a day on | whether days are shown
            show_hours | flag | from an hour on | whether hours are shown
            show_minutes | flag | true | whether minutes are shown
            show_seconds | flag | true | whether seconds are shown
            on_expire_action | text | `show_expired_text` | `show_expired_text`, `hide`, `auto_advance`, or the action of a button
            action_value | any | | what such an action needs
            expired_text | words | `0:00` | shown at the end
            # look
            timer_variant variant | digital flip circular bar | digital | the kind
            accent_color | color | | of the figures
            font_size | number 12..72 px | | of the figures
            """),
        FormatObject(
            "animated_loading",
            """
            items loading_items | [{items}/words] | | what is ticked one by one
            total_duration_ms | number 300..60000 ms | 3000 | how long it takes
            auto_advance | flag | false | whether the next step comes then
            text title | words | | the words
            # look
            loading_variant variant | checklist circular linear skeleton | checklist | the kind; `circular` without items
            progress_color | color | | of the movement
            check_color | color | | of the ticks
            title_style | {text style} | | of the titles
            """),
        FormatObject(
            "timeline",
            """
            !items timeline_items | [{items}/words] | | the events, with `status`
            # look
            show_line | flag | true | whether a line connects them
            compact | flag | false | whether they stand closer
            completed_color | color | | of what is done
            current_color | color | | of the current one
            upcoming_color | color | | of what comes
            line_color | color | | of the line
            title_style | {text style} | | of the titles
            """),
        FormatObject(
            "star_background",
            """
            # look
            particle_type | stars sparkles dots snow bokeh | stars | the kind
            density | sparse medium dense | medium | how many
            speed | slow medium fast | medium | how fast
            size_range | [number] | 2, 5 | the smallest and the largest
            color primary_color | color | | of most
            secondary_color | color | | of a third
            fullscreen | flag | true | whether they are behind the whole step
            """),
        FormatObject(
            "pricing_card",
            """
            !plans pricing_plans | [{plans}] | | the plans
            cta_text | words | the plan | the words of the buttons
            # look
            pricing_layout | stacked side_by_side | stacked | how they stand
            """),
        FormatObject(
            "social_login",
            """
            !providers | [{providers}/text] | | such as `apple`
            divider_text | words | | the words in the line
            # look
            button_style | filled outlined minimal | | the kind of buttons
            show_divider | flag | false | whether a line stands above
            """),
        FormatObject(
            "press_hold_confirm",
            """
            text title label | words | | the words
            action | text | `next` | as of a button
            action_value | any | | as of a button
            duration_ms | number 300..5000 ms | 1000 | how long it is held
            """),
        FormatObject("calendar_month", "date | day | today | the marked day, as `yyyy-MM-dd`"),
        FormatObject(
            "password_strength",
            """
            field_id | text | the password | the field that is judged
            label | words | | the words above
            """),
        FormatObject("summary_screen", ""),
    ]

    private static let containers = [
        FormatObject("stack", container),
        FormatObject("row", "direction | horizontal vertical | horizontal | of the blocks\n" + container),
        FormatObject("section_background", "children items | [{block}] | | the blocks"),
        FormatObject(
            "carousel",
            """
            children items | [{block}] | | the blocks
            text title label | words | | what a screen reader says
            """),
        FormatObject("form", "fields | [{field}] | | the fields, as of a step"),
    ]

    private static let container = """
        children items | [{block}] | | the blocks
        # look
        distribution justify | equal fill start center end space_between space_around space_evenly | | how they are spread
        align_items alignment | start center end top bottom leading trailing stretch | | across the direction
        gap spacing | number 0..80 px | | between them
        wrap | flag | true | whether they may stand in several lines
        """
}
