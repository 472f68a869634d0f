/// Flows of AppDNA's console and SDK, with Bellwether's additions.
extension KeyTable {
    static let flow = KeyTable.recipe(
        """
        kind slug offer strings notify retention_days hosted theme link keep id name description version status active
        graph_layout created_at updated_at published_at
        """,
        [
            "settings": settings, "steps": .list(step), "graph_nodes": .map(.open("type event_name next_target")),
            "audience_rules": .either(
                .object("priority match_mode", ["conditions": .list(audience)]), .list(audience)),
        ])

    private static let audience = KeyTable.object("trait field operator value values min max")

    private static let settings = KeyTable.open(
        """
        show_progress allow_back skip_to_step progress_style progress_color progress_track_color back_button_style
        dismiss_allowed content_padding block_spacing haptic
        """)

    private static let step = KeyTable.hinted(
        .object("id type name hide_progress hide_back localizations default_locale", stepParts),
        KeyHints(
            places: Dictionary(
                uniqueKeysWithValues: keys(configKeys, configParts).keys.map { ($0, "config.\($0)") }
            ).merging(stepPlaces) { $1 }))

    private static let stepPlaces = [
        "hero_image": "config.image_url", "branching": "next_step_rules", "webhook_url": "hook.webhook_url",
    ]

    private static let stepParts: [String: KeyTable] =
        [
            "config": config, "layout": config, "hook": hook, "render_hook": hook,
            "content_blocks": .list(.later { block }), "next_step_rules": .list(rule),
        ]

    private static let config = KeyTable.hinted(
        .object(configKeys, configParts),
        KeyHints(
            meant: ["hero_image": "image_url", "branching": "next_step_rules"],
            places: ["webhook_url": "hook.webhook_url"]))

    private static let configKeys = """
        title subtitle image_url cta_text skip_enabled selection_mode display columns grid_columns layout
        validation_mode field_defaults layout_variant background text_style element_style animation localizations
        default_locale progress_color permission_type hide_progress hide_back
        """

    private static let configParts: [String: KeyTable] =
        [
            "options": .list(option), "items": .list(.object("id icon title subtitle description image_url")),
            "fields": .list(field), "content_blocks": .list(.later { block }), "next_step_rules": .list(rule),
            "chat_config": chat, "hook": hook, "render_hook": hook,
        ]

    private static let rule = KeyTable.object(
        "target_step_id logic", ["conditions": .list(ruleCondition), "condition": ruleCondition])

    private static let ruleCondition = KeyTable.object("type answer_key value previous_step_id previous_step_ids")

    private static let hookKeys = FlowPartKeys.hook.names.joined(separator: " ") + " loading_text"
    private static let hook = KeyTable.object(hookKeys)

    private static let chat = KeyTable.hinted(
        table(FlowPartKeys.chat, chatParts),
        KeyHints(
            places: Dictionary(
                uniqueKeysWithValues: keys(hookKeys).keys.map { ($0, "webhook.\($0)") })))

    private static let chatParts: [String: KeyTable] =
        [
            "persona": .open(FlowPartKeys.persona.names.joined(separator: " ")),
            "webhook": .object(hookKeys, ["sample_replies": .list(chatReply)]),
            "auto_messages": .list(table(FlowPartKeys.autoMessage, ["media": media])),
            "completion_message": table(FlowPartKeys.completionMessage),
            "quick_replies": .list(table(FlowPartKeys.quickReply)),
            "turn_actions": .list(
                table(
                    FlowPartKeys.turnAction,
                    ["config": .open(FlowPartKeys.turnConfig.names.joined(separator: " "))])),
        ]

    /// The reply of the owner's server to a chat message.
    private static let chatReply = table(
        FlowPartKeys.sampleReply,
        [
            "messages": .list(table(FlowPartKeys.message, ["media": media])),
            "quick_replies": .list(.object("id text")),
        ])

    private static let media = table(FlowPartKeys.media)

    private static func table(_ object: FormatObject, _ others: [String: KeyTable] = [:]) -> KeyTable {
        .object(object.names.joined(separator: " "), others)
    }
}

/// The keys of a step's fields.
extension KeyTable {
    private static let field = KeyTable.hinted(
        .object([FlowFieldKeys.common, FlowFieldKeys.choice].names + " " + drawnFieldKeys, fieldParts), fieldHints)

    /// Keys that a page, which alone reads them, finds in the field as well as in its `config`.
    private static let drawnFieldKeys = """
        unit unit_position display columns grid_columns style rating_style default_rating filled_color empty_color
        preset_colors presets swatches colors
        """

    private static let fieldParts: [String: KeyTable] =
        [
            "validation": validation, "options": .list(option), "config": fieldConfig,
            "depends_on": table(FlowPartKeys.dependence), "visibility_condition": visibility,
        ]

    private static let validation = table(FlowPartKeys.validation)

    private static let patternPlaces = [
        "pattern": "validation.pattern", "pattern_message": "validation.pattern_message",
    ]

    /// The keys of a type belong in `config`.
    private static let fieldHints: KeyHints = {
        let own = FlowFieldKeys.types.flatMap(\.names).map { ($0, "config.\($0)") }
        let bounds = ["min": "config.min_value", "max": "config.max_value"]
        return KeyHints(places: Dictionary(own) { $1 }.merging(patternPlaces) { $1 }.merging(bounds) { $1 })
    }()

    private static let fieldConfig = KeyTable.hinted(
        .open(fieldKeys, ["options": .list(option)]),
        KeyHints(meant: ["min_chars": "min_characters"], places: patternPlaces))

    private static let visibility = table(FlowPartKeys.visibility)

    /// The keys of all types of fields, and keys of the SDK that no page draws.
    private static let fieldKeys =
        FlowFieldKeys.types.names + """
             validate_format keyboard_type autocapitalize picker_style search_enabled location_placeholder
            location_bias_country location_language location_min_chars
            """

    private static let option = KeyTable.object(
        FlowPartKeys.option.names.joined(separator: " ") + """
             description selected_image_url unselected_image_url title_color subtitle_color title_font_size
            subtitle_font_size title_font_weight selected_icon unselected_icon image_overlay_color image_overlay_opacity
            image_shape border_color selected_border_color bg_color selected_bg_color selected_text_color cell_alignment
            text_alignment leading_text trailing_text badge
            """)

    /// A block of any type may have the keys of all types, because the SDK decodes them in this way.
    private static let block: KeyTable = .hinted(
        .object([blockKeys, fieldKeys, keptBlockKeys].joined(separator: " "), blockParts),
        KeyHints(meant: ["min_chars": "min_characters"], places: patternPlaces))

    private static let blockKeys =
        FlowBlockKeys.types.names + " " + [FlowBlockKeys.common, FlowBlockKeys.answer].names + " "
        + FlowPartKeys.textStyle.names.joined(separator: " ")

    private static let blockParts: [String: KeyTable] =
        [
            "fields": .list(field), "options": .list(option), "field_options": .list(option),
            "children": .list(.later { block }), "stack_children": .list(.later { block }),
            "visibility_condition": visibility, "depends_on": table(FlowPartKeys.dependence),
            "validation": validation,
            "entrance_animation": .object(FlowPartKeys.animation.names.joined(separator: " ") + " spring_damping"),
            "config": fieldConfig, "field_config": .anything,
            "block_style": .open(FlowPartKeys.blockStyle.names.joined(separator: " ")),
        ]

    /// Keys of the SDK that no page draws.
    private static let keptBlockKeys = """
        width image_fit badge_position badge_size image_shape image_corner_radius lottie_url lottie_speed
        lottie_width lottie_height play_on_scroll play_on_tap rive_url artboard state_machine
        trigger_on_step_complete icon_ref zone vertical_align dot_size active_dot_width email_login_placement
        email_cta_spacing_below star_size rich_text_variant link_color subtitle_style gauge_variant label_color
        min_label max_label min_max_font_size min_max_color animation_duration_ms arrow_color arrow_stroke_width
        percentage_location date_validation_message highlight_color haptic_on_scroll orientation wheel_orientation
        picker_presentation picker_mode picker_spacing calendar_bg_color wheel_bg_color wheel_height z_index
        row_direction row_distribution row_child_fill column_ratios default_picker_value overflow collapse_on_scroll
        """
}
