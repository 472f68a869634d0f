internal import BellwetherJSON

/// The keys of content blocks, with the types of their values (docs/reference/flows.md#blocks). Other keys are kept and
/// served unchanged.
enum BlockKeys {
    enum ValueKind {
        case text
        case number
        case bool
        case array
        case texts
        case object
        case choice([String])
        /// A number, or an object or array of numbers for the sides.
        case sides
        /// A text or an object.
        case textOrObject
        /// Any value. It is not checked.
        case any
    }

    /// The keys by type. Types without documented keys have none.
    static let types: [String: [String: ValueKind]] = [
        "title": ["text": .text], "subtitle": ["text": .text], "heading": ["text": .text, "level": .number],
        "text": ["text": .text],
        "image": ["url": .text, "image_url": .text, "alt": .text, "radius": .number, "corner_radius": .number],
        "lottie": ["url": .text, "speed": .number, "loop": .bool],
        "rive": ["url": .text, "state_machine": .text],
        "video": [
            "url": .text, "thumbnail": .text, "autoplay": .bool, "loop": .bool, "muted": .bool, "controls": .bool,
        ],
        "button": [
            "text": .text, "action": .text, "action_value": .any, "gradient_colors": .texts,
            "gradient_direction": .choice(["horizontal", "vertical", "diagonal_tl_br", "diagonal_tr_bl"]),
        ],
        "option_list": ["selection_mode": .text], "form": [:], "page_indicator": [:],
        "wheel_picker": ["unit": .text], "pulsing_avatar": [:], "social_login": ["providers": .array],
        "timeline": ["items": .array],
        "animated_loading": ["items": .array, "total_duration_ms": .number, "auto_advance": .bool],
        "countdown_timer": ["duration_seconds": .number, "on_expire_action": .text, "expired_text": .text],
        "rating": [:], "rich_text": ["markdown": .text],
        "progress_bar": [
            "fill_color": .text, "track_color": .text, "fill_gradient": .texts, "corner_radius": .number,
            "height": .number,
        ],
        "circular_gauge": ["value": .any, "max_value": .number], "date_wheel_picker": [:],
        "stack": [:],
        "row": [
            "direction": .choice(["horizontal", "vertical"]),
            "distribution": .choice([
                "equal", "fill", "start", "center", "end", "space_between", "space_around",
            ]),
        ],
        "custom_view": ["view_key": .text, "custom_config": .object], "star_background": [:],
        "pricing_card": ["plans": .array],
        "spacer": [:], "list": [:], "divider": [:], "badge": [:], "icon": [:], "toggle": [:], "media_gallery": [:],
        "section_background": [:], "carousel": [:], "otp_input": [:], "warning_banner": [:], "password_strength": [:],
        "speech_bubble": [:], "feedback_panel": [:], "summary_screen": [:], "press_hold_confirm": [:],
        "settings_footer": [:], "calendar_month": [:],
    ]

    /// The types to suggest to an author: those of blocks, and those of fields that can be a block.
    static func typeNames(like type: String) -> String {
        let fields = FlowField.typeNames.map { "input_" + $0 }
        let names = type.hasPrefix("input_") ? fields : types.keys.sorted() + ["input_ with the type of a field"]
        return names.joined(separator: ", ")
    }

    static let allTypeNames = Array(types.keys) + FlowField.typeNames.map { "input_" + $0 }

    private static let style: [String: ValueKind] = [
        "padding": .sides, "margin": .sides, "background": .textOrObject, "background_color": .text,
        "radius": .number, "corner_radius": .number, "border": .textOrObject, "shadow": .any, "opacity": .number,
    ]

    private static let effects = [
        "fade", "slide_up", "slide_down", "slide_left", "slide_right", "scale", "flip", "bounce",
    ]

    static func check(_ block: JSONReader, _ keys: [String: ValueKind]) {
        for (key, shape) in keys.sorted(by: { $0.key.precedes($1.key) }) {
            if let value = block.optional(key) { check(value, shape) }
        }
        checkStyle(block.optional("block_style"))
        checkAnimation(block.optional("entrance_animation"))
        _ = block.optional("bindings")?.object()
    }

    private static func checkStyle(_ reader: JSONReader?) {
        guard let reader, reader.object() != nil else { return }
        for (key, shape) in style.sorted(by: { $0.key.precedes($1.key) }) {
            if let value = reader.optional(key) { check(value, shape) }
        }
        if let opacity = reader.optional("opacity"), let value = opacity.value.double, !(0...1).contains(value) {
            opacity.finding("range", "an opacity is from 0 to 1")
        }
    }

    private static func checkAnimation(_ reader: JSONReader?) {
        guard let reader, reader.object() != nil else { return }
        if let type = reader.required("type") { check(type, .choice(effects)) }
        _ = reader.optional("duration_ms")?.integer(in: 100...2_000)
        _ = reader.optional("delay_ms")?.integer(in: 0...5_000)
        _ = reader.optional("easing")?.string()
    }

    private static func check(_ reader: JSONReader, _ shape: ValueKind) {
        switch shape {
        case .text: _ = reader.string()
        case .number: _ = reader.number()
        case .bool: _ = reader.bool()
        case .array: _ = reader.elements()
        case .texts: for element in reader.elements() ?? [] { _ = element.string() }
        case .object: _ = reader.object()
        case .choice(let words): checkWord(reader, words)
        case .sides:
            if let sides = reader.value.object {
                for side in sides where side.value != .null && side.value.double == nil {
                    reader.optional(side.key)?.finding("type", "expected a number")
                }
            } else if reader.value.array != nil {
                for element in reader.elements() ?? [] { _ = element.number() }
            } else {
                _ = reader.number()
            }
        case .textOrObject: if reader.value.object == nil { _ = reader.string() }
        case .any: break
        }
    }

    static func checkWord(_ reader: JSONReader, _ words: [String]) {
        guard let word = reader.string(), !words.contains(bytesOf: word) else { return }
        reader.finding("choice", "expected one of \(words.joined(separator: ", ")), found \(word)")
    }
}
