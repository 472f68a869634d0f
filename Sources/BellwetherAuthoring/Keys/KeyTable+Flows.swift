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

    private static let step = KeyTable.object(
        "id type name hide_progress hide_back localizations default_locale",
        [
            "config": config, "layout": config, "hook": hook, "render_hook": hook,
            "content_blocks": .list(.later { block }), "next_step_rules": .list(rule),
        ])

    private static let config = KeyTable.object(
        """
        title subtitle image_url cta_text skip_enabled selection_mode display columns grid_columns layout
        validation_mode field_defaults layout_variant background text_style element_style animation localizations
        default_locale progress_color permission_type hide_progress hide_back
        """,
        [
            "options": .list(option), "items": .list(.object("id icon title subtitle description image_url")),
            "fields": .list(field), "content_blocks": .list(.later { block }), "next_step_rules": .list(rule),
            "chat_config": chat, "hook": hook, "render_hook": hook,
        ])

    private static let rule = KeyTable.object(
        "target_step_id logic", ["conditions": .list(ruleCondition), "condition": ruleCondition])

    private static let ruleCondition = KeyTable.object("type answer_key value previous_step_id previous_step_ids")

    private static let hookKeys =
        "enabled webhook_url timeout_ms loading_text error_text retry_count headers on_failure"
    private static let hook = KeyTable.object(hookKeys)

    private static let chat = KeyTable.object(
        """
        max_user_turns min_user_turns turn_limit_behavior completion_cta_text input_placeholder input_max_length style sensitive
        """,
        [
            "persona": .object("name role avatar_url"),
            "webhook": .object(hookKeys, ["sample_replies": .list(chatReply)]),
            "auto_messages": .list(.object("id turn delay_ms content", ["media": media])),
            "completion_message": .object("content delay_ms"),
            "quick_replies": .list(.object("id text show_at_turn")),
            "turn_actions": .list(
                .object(
                    "turn type",
                    ["config": .open("max_rating prompt id content delay_ms", ["quick_replies": .anything])])),
        ])

    /// The reply of the owner's server to a chat message.
    private static let chatReply = KeyTable.object(
        "action force_complete completion_message data",
        [
            "messages": .list(.object("content delay_ms", ["media": media])),
            "quick_replies": .list(.object("id text")),
        ])

    private static let media = KeyTable.object("type url alt_text poster")
}

/// The keys of a step's fields.
extension KeyTable {
    private static let field = KeyTable.object(
        "id type label placeholder required sensitive",
        [
            "validation": .object("pattern pattern_message"), "options": .list(option),
            "config": .open(fieldKeys, ["options": .list(option)]),
            "depends_on": .object("field_id operator value"), "visibility_condition": visibility,
        ])

    private static let visibility = KeyTable.object("type variable value expression answer_key binding")

    private static let fieldKeys = """
        min_length max_length min_value max_value step decimal_places min_date max_date multi_select max_selections
        max_stars allow_half max_size_mb allowed_types show_opacity max_chips allow_custom suggestions location_type
        bias_country language min_characters validate_format default_value keyboard_type autocapitalize unit
        must_be_true picker_style search_enabled location_bias_country location_language location_placeholder location_min_chars
        """

    private static let option = KeyTable.object(
        """
        id label value icon image_url description selected_image_url unselected_image_url subtitle title_color
        subtitle_color title_font_size subtitle_font_size title_font_weight selected_icon unselected_icon
        image_overlay_color image_overlay_opacity image_shape border_color selected_border_color bg_color
        selected_bg_color selected_text_color cell_alignment text_alignment leading_text trailing_text badge
        """)

    /// A block of any type may have the keys of all types, because the SDK decodes them in this way.
    private static let block: KeyTable = .object(
        fieldKeys + " " + blockKeys,
        [
            "fields": .list(field), "options": .list(option), "field_options": .list(option),
            "children": .list(.later { block }), "stack_children": .list(.later { block }),
            "visibility_condition": visibility, "depends_on": .object("field_id operator value"),
            "validation": .object("pattern pattern_message"),
            "entrance_animation": .object("type duration_ms delay_ms easing spring_damping"),
            "config": .open(fieldKeys, ["options": .list(option)]), "field_config": .anything,
            "block_style": .open(
                """
                padding margin background background_color background_gradient radius corner_radius border border_color
                border_width border_style border_radius shadow opacity padding_top padding_right padding_bottom
                padding_left margin_top margin_bottom margin_left margin_right
                """),
        ])

    private static let blockKeys = """
        id type text style level url image_url alt radius corner_radius height width image_fit variant action
        action_value bg_color background_color text_color button_corner_radius gradient_colors gradient_direction
        spacer_height items list_style divider_color divider_thickness divider_margin_y badge_text badge_bg_color
        badge_text_color badge_corner_radius badge_position badge_size image_shape image_corner_radius icon icon_emoji
        icon_size icon_alignment toggle_label toggle_description toggle_default thumbnail video_url video_thumbnail_url
        video_height video_corner_radius autoplay loop muted controls speed poster lottie_url lottie_speed lottie_width
        lottie_height play_on_scroll play_on_tap rive_url artboard state_machine trigger_on_step_complete icon_ref zone
        vertical_align horizontal_align vertical_offset horizontal_offset dot_count active_index active_color
        inactive_color dot_size dot_spacing active_dot_width alignment providers button_style button_height spacing
        show_divider divider_text email_login_placement email_cta_spacing_below timer_variant duration_seconds show_days
        show_hours show_minutes show_seconds labels on_expire_action expired_text accent_color font_size max
        default_rating star_size filled_color empty_color field_id rating_label markdown markdown_content
        rich_text_variant base_style link_color fill_color fill_gradient progress_variant progress_value total_segments
        filled_segments bar_height bar_color track_color show_label segment_gap timeline_items line_color
        completed_color current_color upcoming_color show_line compact title title_style subtitle_style
        loading_variant loading_items progress_color check_color total_duration_ms auto_advance show_percentage value
        gauge_variant gauge_value sublabel stroke_width label_color label_font_size min_label max_label
        min_max_font_size min_max_color animate animation_duration_ms arrow_color arrow_stroke_width
        percentage_location columns default_date_value allow_future allow_past date_validation_message highlight_color
        haptic_on_scroll orientation wheel_orientation picker_presentation picker_mode picker_spacing calendar_bg_color
        wheel_bg_color wheel_height z_index gap wrap justify align_items direction distribution row_direction
        row_distribution row_child_fill column_ratios view_key custom_config placeholder_image_url placeholder_text
        particle_type density secondary_color size_range fullscreen min default max_value_picker step_value
        default_picker_value unit_position visible_items pulse_color pulse_ring_count pulse_speed border_width
        border_color plans pricing_plans pricing_layout label placeholder required sensitive field_label
        field_placeholder field_required field_style selection_mode pressed_style bindings element_width element_height
        overflow collapse_on_scroll
        """
}
