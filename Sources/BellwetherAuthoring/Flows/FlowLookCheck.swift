internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Warns of values by which a page draws nothing or something else: colours, pictures, words and actions that it does
/// not know, and keys without which a block is empty (docs/findings.md#flows).
struct FlowLookCheck {
    private let findings: Findings
    /// The hosts of pictures; nil if no page of the daemon shows the flow.
    private let mediaOrigins: [String]?

    init(_ flow: JSONReader, under manifest: Manifest, _ findings: Findings) {
        self.findings = findings
        let origins = manifest.web.mediaOrigins.map(\.text)
        mediaOrigins = flow.optional("hosted")?.value == true || !origins.isEmpty ? origins : nil
    }

    func check(_ step: FlowOutline.Step) {
        for block in step.blocks { check(block: block) }
        for field in step.fields where !field.isBlock { check(field: field.location) }
        for config in step.configs {
            checkPicture(config.optional("image_url"))
            for option in FlowOutline.elements(config.optional("options")) { check(option, FlowPartKeys.option.keys) }
        }
        checkChat(step.config("chat_config"))
    }

    private func warn(_ code: String, _ location: JSONReader, _ message: String) {
        findings.warn(code, at: location.pointer, message)
    }

    // MARK: Objects

    private func check(block: JSONReader) {
        let type = block.value.object?["type"]?.string ?? ""
        let inputType = type.hasPrefix("input_") ? String(type.dropFirst(6)) : nil
        let own = inputType.map { FlowFieldKeys.types[$0] } ?? FlowBlockKeys.types[type]
        check(block, (own?.keys ?? []) + FlowBlockKeys.common.keys)
        checkStyles(of: block)
        // A binding may give the block its content.
        if let own, block.optional("bindings") == nil { checkNeeds(of: block, own) }
        if inputType != nil, own != nil { checkLabel(of: block) }
        if type == "button" || type == "press_hold_confirm" { checkAction(of: block) }
        if type == "countdown_timer" { checkExpiry(of: block) }
        let options = block.optional("options") ?? block.optional("field_options")
        for option in FlowOutline.elements(options) { check(option, FlowPartKeys.option.keys) }
        if type == "form" { for field in FlowOutline.elements(block.optional("fields")) { check(field: field) } }
    }

    private func check(field: JSONReader) {
        let type = field.value.object?["type"]?.string ?? ""
        for place in [field, field.optional("config")].compactMap(\.self) {
            check(place, FlowFieldKeys.types[type]?.keys ?? [])
        }
        checkStyles(of: field)
        checkLabel(of: field)
    }

    private func checkStyles(of block: JSONReader) {
        for (key, table) in [
            ("block_style", FlowPartKeys.blockStyle), ("entrance_animation", FlowPartKeys.animation),
            ("style", FlowPartKeys.textStyle), ("base_style", FlowPartKeys.textStyle),
            ("title_style", FlowPartKeys.textStyle), ("field_style", FlowPartKeys.fieldStyle),
            ("pressed_style", FlowPartKeys.pressedStyle),
        ] {
            if let style = block.optional(key), style.value.object != nil { check(style, table.keys) }
        }
    }

    private func checkChat(_ chat: JSONReader?) {
        guard let chat, chat.value.object != nil else { return }
        if let style = chat.optional("style"), style.value.object != nil { check(style, FlowPartKeys.chatStyle.keys) }
        if let persona = chat.optional("persona"), persona.value.object != nil {
            checkPicture(persona.optional("avatar_url"))
        }
        for message in FlowOutline.elements(chat.optional("auto_messages")) {
            if let media = message.optional("media"), media.value.object?["type"] != "link" {
                checkPicture(media.optional("url"))
            }
        }
        for action in FlowOutline.elements(chat.optional("turn_actions"))
        where action.value.object?["type"] == "rating_prompt" {
            guard let prompt = action.optional("config")?.optional("prompt") else { continue }
            warn("unused_key", prompt, "a page shows its own words above the rating, and not these")
        }
    }

    // MARK: Values

    private func check(_ object: JSONReader, _ keys: [FormatKey]) {
        for key in keys {
            for name in key.names {
                if let value = object.optional(name) { check(value, key.kind) }
            }
        }
    }

    private func check(_ value: JSONReader, _ kind: FormatKey.Kind) {
        switch kind {
        case .color: checkColor(value)
        case .list(.color): for color in value.value.array == nil ? [] : value.elements() ?? [] { checkColor(color) }
        case .picture: checkPicture(value)
        case .word(let words, let isClosed): checkWord(value, words, isClosed: isClosed)
        default: break
        }
    }

    private func checkColor(_ location: JSONReader) {
        guard let text = location.value.string, !text.isTemplate, !text.isColor else { return }
        warn("color", location, "\(JSONValue.string(text).text) is no colour such as \"#2F6F5E\": nothing has it")
    }

    /// A page loads pictures from the manifest's origins only.
    private func checkPicture(_ location: JSONReader?) {
        guard let location, let text = location.value.string, !text.isTemplate, let mediaOrigins,
            let origin = text.origin, !mediaOrigins.contains(origin)
        else { return }
        warn(
            "media_origin", location,
            "pages of the daemon load nothing from \(origin): it is none of the manifest's web.media_origins")
    }

    /// Words that only some renderers know are reported if they differ from a known one by a slip.
    private func checkWord(_ location: JSONReader, _ words: [String], isClosed: Bool) {
        guard let text = location.value.string, !text.isTemplate else { return }
        let word = text.replacing("-", with: "_")
        guard !words.contains(word), !findings.hasFindings(within: location.pointer) else { return }
        let meant = findings.suggestion(for: word, among: words, isSlip: !isClosed)
        guard isClosed || meant != nil else { return }
        let known = words.map { JSONValue.string($0).text }
        let list =
            meant.map { "did you mean \(JSONValue.string($0).text)?" } ?? "known are \(known.joined(separator: ", "))"
        warn("choice", location, "nothing knows \(JSONValue.string(text).text): \(list)")
    }

    // MARK: What is missing

    private func checkNeeds(of block: JSONReader, _ table: FormatObject) {
        for key in table.keys where key.isNeeded {
            let values = key.names.compactMap { block.value.object?[$0] }.filter { $0 != .null }
            guard values.allSatisfy({ $0.string?.isEmpty == true || $0.array?.isEmpty == true || $0.double == 0 })
            else { continue }
            findings.warn(
                "nothing_drawn", at: block.pointer, "a \(table.name) without \"\(key.names[0])\" shows nothing",
                absentKeys: [key.names[0]])
        }
    }

    private func checkLabel(of field: JSONReader) {
        guard let object = field.value.object, let id = (object["field_id"] ?? object["id"])?.string else { return }
        let names = ["label", "field_label", "text", "toggle_label", "rating_label"]
        guard names.allSatisfy({ object[$0]?.string?.isEmpty ?? true }) else { return }
        findings.warn(
            "no_label", at: field.pointer, "the field has no label: respondents read its id \"\(id)\"",
            absentKeys: ["label"])
    }

    // MARK: Actions

    private static let actions = ["next", "continue", "skip", "back", "dismiss", "close", "open_url"]

    /// Names of actions in other tools, which a page does not know.
    private static let meant = [
        "advance": "next", "proceed": "next", "submit": "next", "finish": "next", "complete": "next", "done": "next",
        "next_step": "next", "forward": "next", "previous": "back", "prev": "back", "go_back": "back",
        "exit": "dismiss", "quit": "dismiss", "cancel": "dismiss", "link": "open_url", "url": "open_url",
        "open_link": "open_url", "openurl": "open_url",
    ]

    /// The page or the app may know other actions, so only those that probably mean one of the flow are reported.
    private func checkAction(of block: JSONReader) {
        guard let location = block.optional("action"), let action = location.value.string else { return }
        guard Self.actions.contains(action) else {
            let meant =
                Self.meant[action.lowercased()]
                ?? findings.suggestion(for: action, among: Self.actions, isSlip: true)
            guard let meant else { return }
            return warn(
                "choice", location,
                "a flow has no action \(JSONValue.string(action).text), and the button does nothing unless the page or "
                    + "app knows it: did you mean \"\(meant)\"?")
        }
        checkAddress(of: block, action, location)
    }

    private func checkAddress(of block: JSONReader, _ action: String, _ location: JSONReader) {
        guard action == "open_url" else { return }
        let address = block.optional("action_value")
        guard let text = address?.value.string, !text.isEmpty else {
            return warn(
                "no_value", address ?? location, "\"open_url\" opens nothing without an address in action_value")
        }
        guard !text.isTemplate, !["https://", "http://"].contains(where: text.lowercased().hasPrefix) else { return }
        guard let address, !text.contains("://"), !text.hasPrefix("mailto:"), !text.hasPrefix("tel:") else { return }
        warn("url", address, "a page opens addresses that begin with https:// or http://")
    }

    private func checkExpiry(of block: JSONReader) {
        guard let location = block.optional("on_expire_action"), let action = location.value.string else { return }
        checkWord(location, ["show_expired_text", "hide", "auto_advance"] + Self.actions, isClosed: true)
        checkAddress(of: block, action, location)
    }
}

extension String {
    /// Whether a template gives the value.
    fileprivate var isTemplate: Bool { contains("{{") }

    /// Whether a page reads the text as a colour: `#RGB`, `#RRGGBB`, both also with opacity, `rgb(…)`, `transparent`.
    fileprivate var isColor: Bool {
        if self == "transparent" || hasPrefix("rgb(") || hasPrefix("rgba(") { return true }
        return hasPrefix("#") && [3, 4, 6, 8].contains(utf8.count - 1) && dropFirst().allSatisfy(\.isHexDigit)
    }

    /// The origin of an address with a host; nil for any other text.
    fileprivate var origin: String? {
        guard let scheme = ["https://", "http://"].first(where: lowercased().hasPrefix) else { return nil }
        let host = dropFirst(scheme.count).prefix { !["/", "?", "#"].contains($0) }
        return host.isEmpty ? nil : scheme + host.lowercased()
    }
}
