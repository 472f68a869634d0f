/// The keys of content blocks, by type (docs/reference/flows.md#keys). `common` has those of every block, `answer`
/// those of every block with an answer.
enum FlowBlockKeys {
    static let common = FormatObject(
        "every block",
        """
        type | text | | the type
        id | text | | the name, and the key of the answer without `field_id`
        visibility_condition | object | | when it is shown
        block_style | object | | its box: the table `block_style`
        entrance_animation | object | | how it comes in: the table `entrance_animation`
        bindings | object | | kept for the app
        element_width | any | | a number of pixels, a text such as `50%`, or `fill`
        element_height | any | | a number of pixels
        horizontal_align | left center right leading trailing start end | | where a narrower block stands
        horizontal_offset | number | 0 | how far it is moved, from -200 to 200
        vertical_offset | number | 0 | how far it is moved, from -200 to 200
        """)

    static let answer = FormatObject(
        "every block with an answer",
        """
        field_id | text | `id` | the key of the answer
        label field_label | text | the id | what is asked
        hint help_text | text | | a line below
        required field_required | flag | false | whether an answer is needed
        sensitive | flag | false | whether its answers are left out of lists and events
        placeholder field_placeholder | text | | what an empty field shows
        default_value default | any | | what it shows before it is answered
        depends_on | object | | the answer that shows it
        validation | object | | the table `validation`
        field_style | object | | its looks: the table `field_style`
        config field_config | object | | its keys may also stand here
        """)

    /// The types, those with an answer first.
    static let types: [FormatObject] = answers + texts + media + figures + containers

    private static let answers = [
        FormatObject(
            "option_list",
            """
            options field_options | list | | the table `options`
            selection_mode | single multi | single | how many may be chosen
            multi_select | flag | false | the same as `multi`
            display | dropdown stacked grid | stacked | how the options stand
            columns grid_columns | number | | the columns of a grid: 2 or 3
            """),
        FormatObject(
            "wheel_picker",
            """
            min_value min | number | 0 | the lowest value
            max_value max_value_picker max | number | 100 | the highest value
            step step_value | number | 1 | from one value to the next
            unit | text | | a word at each value
            unit_position | prefix suffix | suffix | where the unit stands
            visible_items | number | 5 | 3 and less are a low wheel
            """),
        FormatObject(
            "date_wheel_picker",
            """
            min_date | text | | the first day, as `yyyy-MM-dd`
            max_date | text | | the last day
            allow_past | flag | true | whether days before today can be chosen
            allow_future | flag | true | whether days after today can be chosen
            default_date_value | text | today | where the wheels begin
            """),
        FormatObject(
            "rating",
            """
            max_stars max | number | 5 | the number of stars, from 3 to 10
            allow_half | flag | false | whether half stars can be given
            style rating_style display | any | stars | `emoji` for faces
            default_rating | number | | what is shown before it is answered
            rating_label | text | | what is asked
            filled_color | color | | of chosen stars
            empty_color | color | | of other stars
            """),
        FormatObject(
            "toggle",
            """
            toggle_label text | text | | the words beside the switch
            toggle_description | text | | a line below
            toggle_default | flag | false | what it shows before it is answered
            must_be_true | flag | false | whether only true is an answer
            """),
        FormatObject("otp_input", "max_length | number | 6 | the number of characters, from 4 to 12"),
        FormatObject(
            "custom_view",
            """
            view_key | text | `id` | the name of the view that the page or app has registered
            custom_config | object | | what the view is given
            placeholder_image_url | picture | | shown without such a view
            placeholder_text text | text | | shown without such a view
            """),
    ]

    private static let texts = [
        FormatObject("title", text), FormatObject("subtitle", text), FormatObject("text", text),
        FormatObject("heading", text + "\nlevel | number | 2 | from 1 to 6"),
        FormatObject(
            "rich_text",
            """
            !markdown markdown_content text | text | | Markdown
            style base_style | object | | its looks: the table `text style`
            """),
        FormatObject("speech_bubble", text), FormatObject("settings_footer", text),
        FormatObject("warning_banner", notice), FormatObject("feedback_panel", notice),
        FormatObject(
            "badge",
            """
            !badge_text text | text | | the words
            badge_bg_color | color | | of the ground
            badge_text_color | color | | of the words
            badge_corner_radius | number | | from 0 to 40
            """),
        FormatObject(
            "icon",
            """
            !icon icon_emoji name | text | | an emoji
            icon_size size | number | | from 12 to 160
            icon_alignment alignment | left center right | center | where it stands
            """),
        FormatObject(
            "list",
            """
            !items | list | | texts, or the table `items`
            list_style style | bullet numbered check | bullet | what stands before each
            title_style | object | | of the titles: the table `text style`
            """),
        FormatObject(
            "spacer", "height spacer_height size | number | | from 0 to 400"),
        FormatObject(
            "divider",
            """
            divider_color color | color | | of the line
            divider_thickness thickness | number | 1 | from 1 to 12
            divider_margin_y margin_y | number | | the space above and below, from 0 to 80
            """),
        FormatObject(
            "button",
            """
            !text | text | | the words
            action | text | `next` | `next`, `skip`, `back`, `dismiss`, `open_url`, or a name for the page or app
            action_value | any | | the address of `open_url`, or what the page or app is given
            variant | primary secondary outline text link | | the kind of button
            bg_color background_color | color | | of the ground
            gradient_colors | colors | | of the ground, two and more
            gradient_direction | horizontal vertical diagonal_tl_br diagonal_tr_bl | horizontal | of the gradient
            text_color | color | | of the words
            button_corner_radius corner_radius radius | number | | from 0 to 60
            button_height height | number | | from 36 to 96
            pressed_style | object | | while it is pressed: the table `pressed_style`
            """),
    ]

    private static let text = """
        !text | text | | the words
        style base_style | object | | its looks: the table `text style`, whose keys may also stand in the block
        """

    private static let notice = """
        !text title label | text | | the words
        subtitle description | text | | a line below
        icon | text | | an emoji
        title_style | object | | of the words: the table `text style`
        """

    private static let media = [
        FormatObject(
            "image",
            """
            !url image_url | picture | | the picture
            alt | text | | what the picture shows
            radius corner_radius | number | 0 | from 0 to 200
            height | number | | from 16 to 800: the picture then fills the width
            """),
        FormatObject("lottie", animation), FormatObject("rive", animation),
        FormatObject(
            "video",
            """
            !url video_url | picture | | the video
            thumbnail video_thumbnail_url | picture | | the picture before it plays
            alt | text | | what the video shows
            autoplay | flag | false | whether it plays at once, then without sound
            loop | flag | false | whether it begins again
            muted | flag | false | whether it has no sound
            controls | flag | true | whether it has controls
            height video_height | number | | from 64 to 800
            corner_radius video_corner_radius | number | 0 | from 0 to 200
            """),
        FormatObject(
            "media_gallery", "!items images | list | | addresses, or objects with `url` (`image_url`) and `alt`"),
        FormatObject(
            "pulsing_avatar",
            """
            image_url url | picture | | the picture
            alt | text | | what the picture shows
            icon | text | | an emoji, without a picture
            text | text | | its first letter, without a picture
            size height | number | | from 40 to 240
            pulse_color | color | | of the rings
            pulse_ring_count | number | 2 | from 1 to 4
            pulse_speed | number | 1 | from 0.2 to 5
            border_color | color | | of the edge
            border_width | number | | from 0 to 12
            """),
    ]

    private static let animation = """
        url | text | | for an app that plays it
        poster poster_url thumbnail | picture | | the picture that a page shows
        alt | text | | the words that a page shows without a poster
        """

    private static let figures = [
        FormatObject(
            "progress_bar",
            """
            value progress_value | number | the step | how much is done
            max_value | number | 1 | the whole; a value above 1 is of 100
            progress_variant variant | continuous segmented | continuous | one bar, or parts
            total_segments | number | 5 | from 2 to 24
            filled_segments | number | | how many are filled
            label | text | | the words above
            show_label show_percentage | flag | false | whether the percentage is shown
            fill_color bar_color | color | | of what is done
            fill_gradient | colors | | of what is done
            track_color | color | | of what is left
            height bar_height | number | | from 2 to 60
            corner_radius | number | | from 0 to 30
            segment_gap | number | | from 0 to 20
            """),
        FormatObject(
            "page_indicator",
            """
            dot_count total | number | the steps | how many, from 1 to 24
            active_index current | number | the step | which one, from 0
            style variant | dots bar | dots | the kind
            active_color | color | | of the current one
            inactive_color | color | | of the others
            dot_spacing | number | | from 2 to 40
            alignment | left center right | center | where it stands
            """),
        FormatObject(
            "circular_gauge",
            """
            value gauge_value | number | the step | how much
            max_value | number | 100 | the whole
            unit | text | ` %` | behind the number
            label | text | | the words below
            sublabel | text | | a line below the label
            stroke_width line_width | number | 10 | from 2 to 24
            fill_color bar_color progress_color accent_color color | color | | of what is filled
            track_color | color | | of the rest
            label_font_size | number | | from 10 to 40
            animate | flag | true | whether it grows
            """),
        FormatObject(
            "countdown_timer",
            """
            !duration_seconds | number | 0 | how long it runs
            timer_variant variant | digital flip circular bar | digital | the kind
            labels | object | | the words below: `days`, `hours`, `minutes`, `seconds`
            show_days | flag | from a day on | whether days are shown
            show_hours | flag | from an hour on | whether hours are shown
            show_minutes | flag | true | whether minutes are shown
            show_seconds | flag | true | whether seconds are shown
            on_expire_action | text | `show_expired_text` | `show_expired_text`, `hide`, `auto_advance`, or the action of a button
            action_value | any | | what such an action needs
            expired_text | text | `0:00` | shown at the end
            accent_color | color | | of the figures
            font_size | number | | from 12 to 72
            """),
        FormatObject(
            "animated_loading",
            """
            items loading_items | list | | texts, or the table `items`, which are ticked one by one
            total_duration_ms | number | 3000 | from 300 to 60000
            auto_advance | flag | false | whether the next step comes then
            loading_variant variant | checklist circular linear skeleton | checklist | the kind; `circular` without items
            text title | text | | the words
            progress_color | color | | of the movement
            check_color | color | | of the ticks
            title_style | object | | of the titles: the table `text style`
            """),
        FormatObject(
            "timeline",
            """
            !items timeline_items | list | | the table `items`, with `status`: `completed`, `current` or `upcoming`
            show_line | flag | true | whether a line connects them
            compact | flag | false | whether they stand closer
            completed_color | color | | of what is done
            current_color | color | | of the current one
            upcoming_color | color | | of what comes
            line_color | color | | of the line
            title_style | object | | of the titles: the table `text style`
            """),
        FormatObject(
            "star_background",
            """
            particle_type | stars sparkles dots snow bokeh | stars | the kind
            density | sparse medium dense | medium | how many
            speed | slow medium fast | medium | how fast
            size_range | list | 2, 5 | the smallest and the largest
            color primary_color | color | | of most
            secondary_color | color | | of a third
            fullscreen | flag | true | whether they are behind the whole step
            """),
        FormatObject(
            "pricing_card",
            """
            !plans pricing_plans | list | | the table `plans`
            pricing_layout | stacked side_by_side | stacked | how they stand
            cta_text | text | the plan | the words of the buttons
            """),
        FormatObject(
            "social_login",
            """
            !providers | list | | names such as `apple`, or objects with `type` (`id`), `label` (`text`, `title`) and `enabled`
            button_style | filled outlined minimal | | the kind of buttons
            show_divider | flag | false | whether a line stands above
            divider_text | text | | the words in the line
            """),
        FormatObject(
            "press_hold_confirm",
            """
            text title label | text | | the words
            action | text | `next` | as of a button
            action_value | any | | as of a button
            duration_ms | number | 1000 | how long it is held, from 300 to 5000
            """),
        FormatObject("calendar_month", "date | text | today | the marked day, as `yyyy-MM-dd`"),
        FormatObject(
            "password_strength",
            """
            field_id | text | the password | the field that is judged
            label | text | | the words above
            """),
        FormatObject("summary_screen", ""),
    ]

    private static let containers = [
        FormatObject("stack", container),
        FormatObject("row", "direction | horizontal vertical | horizontal | of the blocks\n" + container),
        FormatObject("section_background", "children items | list | | the blocks"),
        FormatObject(
            "carousel",
            """
            children items | list | | the blocks
            text title label | text | | what a screen reader says
            """),
        FormatObject("form", "fields | list | | [fields](#fields)"),
    ]

    private static let container = """
        children items | list | | the blocks
        distribution justify | equal fill start center end space_between space_around space_evenly | | how they are spread
        align_items alignment | start center end top bottom leading trailing stretch | | across the direction
        gap spacing | number | | between them, from 0 to 80
        wrap | flag | true | whether they may stand in several lines
        """
}
