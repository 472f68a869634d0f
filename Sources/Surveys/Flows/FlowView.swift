internal import BellwetherBase
public import BellwetherJSON

/// The form of a run for clients (docs/reference/flows.md#runs).
extension FlowDefinition {
    /// The run as JSON, within the budget of a whole save.
    public func view(_ run: FlowRun, banner: FlowBanner? = nil) -> JSONObject {
        var budget = EvaluationBudget.wholeSave
        return view(run, banner: banner, &budget)
    }

    /// The run as JSON, without the id and the revision.
    public func view(
        _ run: FlowRun, banner: FlowBanner? = nil, _ budget: inout EvaluationBudget
    ) -> JSONObject {
        let index = run.stepID.flatMap { self.index(of: $0) }
        let step = index.map { steps[$0] }
        let showsProgress = settings.showsProgress && step?.hidesProgress == false
        var json: JSONObject = [
            "flow_id": .string(id), "flow_version": version, "status": .string(run.status.rawValue),
            "step": step.map { .object(view($0, run, &budget)) } ?? .null,
            "step_id": step.map { .string($0.id) } ?? .null,
            "step_index": index.map { .integer(Int64($0)) } ?? .null, "total_steps": .integer(Int64(steps.count)),
            "progress": showsProgress ? index.map { .number(Double($0 + 1) / Double(steps.count)) } ?? .null : .null,
            "can_go_back": .bool(canGoBack(run)), "responses": .object(run.shownResponses),
            "banner": banner?.json ?? .null, "outcome": run.outcome?.json ?? .null,
        ]
        if let step, step.kind == .interactiveChat { json["chat"] = .object(chatView(step, run)) }
        return json
    }

    /// The keys of a step that clients do not get.
    private static let hiddenKeys: Set<String> = [
        "config", "layout", "next_step_rules", "localizations", "default_locale",
    ]

    /// The step as it is shown now, with `visible` in its fields and blocks.
    private func view(_ step: FlowStep, _ run: FlowRun, _ budget: inout EvaluationBudget) -> JSONObject {
        var shown = shown(step, run)
        mark(&shown, step, run, &budget)
        return shown
    }

    /// The step with its config, with texts in the respondent's language and expanded templates.
    func shown(_ step: FlowStep, _ run: FlowRun) -> JSONObject {
        var shown = localized(step, for: run.locale)
        let template = FlowTemplate(run, in: self)
        shown = Self.withoutHooks(template.expand(.object(shown))).object ?? [:]
        run.override(of: step).apply(to: &shown)
        return shown
    }

    /// The step's own keys and the keys of its config, with texts in the respondent's language. Options that are
    /// written as texts are objects.
    func localized(_ step: FlowStep, for locale: String?) -> JSONObject {
        var shown: JSONObject = ["id": .string(step.id), "type": .string(step.kind.rawValue)]
        let own = step.document.filter { !Self.hiddenKeys.contains($0.key) && shown[$0.key] == nil }
        let config = step.config.filter { !Self.hiddenKeys.contains($0.key) && shown[$0.key] == nil }
        for member in own { shown[member.key] = member.value }
        for member in config { shown[member.key] = member.value }
        shown = FlowOptions.objects(in: shown)
        FlowTexts(step).localize(&shown, for: locale)
        return shown
    }

    /// Marks fields and blocks as visible or hidden, from the present answers, or else from the defaults.
    private func mark(
        _ shown: inout JSONObject, _ step: FlowStep, _ run: FlowRun, _ budget: inout EvaluationBudget
    ) {
        let defaults = run.override(of: step).defaults
        var answers = JSONObject()
        for field in step.fields { answers[field.id] = defaults[field.id] ?? field.defaultValue }
        for answer in run.shownAnswers(of: step.id) { answers[answer.key] = answer.value }
        var facts = run.facts
        facts.aliases = aliases
        let evaluation = step.evaluate(answers, facts, on: CalendarDay(run.startedAt), files: run.files, &budget)
        (facts.answers, facts.steps[step.id]) = (evaluation.answers, .object(evaluation.answers))
        var marks = VisibilityMarks(facts: facts, visibleFields: evaluation.visibleIDs, budget: budget) {
            RespondentWords(run, in: self).summary
        }
        if let fields = shown["fields"]?.array { shown["fields"] = .array(marks.mark(fields, step.formFields)) }
        if let blocks = shown["content_blocks"]?.array {
            shown["content_blocks"] = .array(marks.mark(blocks, step.blocks, isVisible: true))
        }
        budget = marks.budget
    }
}

/// The faults of a response, in the respondent's language.
extension FlowDefinition {
    func faults(_ evaluation: FlowEvaluation, at step: FlowStep, _ run: FlowRun) -> [FlowFault] {
        let shown = JSONValue.object(localized(step, for: run.locale))
        return evaluation.faults.map { id, field, fault in
            FlowFault(
                fault.code.rawValue, at: ["response", id.text], message(of: fault, field, at: step, shown),
                reason: language.reason(of: fault), bounds: fault.bounds)
        }
    }

    private func message(
        of fault: FieldFault, _ field: FlowField?, at step: FlowStep, _ shown: JSONValue
    ) -> String {
        func text(_ path: String...) -> String? { field.flatMap { shown.text(at: $0.location(in: step) + path) } }
        switch fault.text {
        case .own(.required, let values):
            return language.say(.required, [text("label") ?? values.joined()])
        case .own(let sentence, let values): return language.say(sentence, values)
        case .patternMessage(let message):
            return language.read(text("validation", "pattern_message") ?? message)
        }
    }
}

extension FlowField {
    /// The path of the field in the shown step.
    func location(in step: FlowStep) -> [String] {
        let path = pointer.tokens.dropFirst(step.pointer.tokens.count)
        return Array(["config", "layout"].contains(path.first) ? path.dropFirst() : path)
    }
}

extension JSONValue {
    /// The text at a path of members and indices.
    fileprivate func text(at path: [String]) -> String? { value(at: path)?.string }

    /// The value at a path of members and indices.
    func value(at path: [String]) -> JSONValue? {
        path.reduce(Optional(self)) { value, token in
            switch value {
            case .object(let object): object[token]
            case .array(let elements): Int(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: nil
            }
        }
    }
}

/// Adds `visible` to the parts of a shown step.
private struct VisibilityMarks {
    let facts: ConditionFacts
    let visibleFields: Set<Identifier>
    var budget: EvaluationBudget
    /// The answers so far in words.
    let summary: () -> [JSONValue]

    func mark(_ values: [JSONValue], _ fields: [FlowField?]) -> [JSONValue] {
        values.enumerated().map { index, value in
            guard var object = value.object else { return value }
            let field = index < fields.count ? fields[index] : nil
            object["visible"] = .bool(field.map { visibleFields.contains($0.id) } ?? true)
            return .object(object)
        }
    }

    /// Marks blocks. Blocks inside a hidden block are hidden.
    mutating func mark(_ values: [JSONValue], _ blocks: [FlowBlock], isVisible: Bool) -> [JSONValue] {
        guard values.count == blocks.count else { return values }
        return zip(values, blocks).map { value, block in
            guard var object = value.object else { return value }
            let isShown = isVisible && (block.visibility?.holds(for: facts, &budget) ?? true)
            object["visible"] = .bool(isShown)
            if object["type"] == "summary_screen" { object["answers"] = .array(summary()) }
            if let children = object["children"]?.array {
                object["children"] = .array(mark(children, block.children, isVisible: isShown))
            }
            if let fields = object["fields"]?.array, !block.fields.isEmpty {
                object["fields"] = .array(mark(fields, block.fields.count == fields.count ? block.fields : []))
            }
            return .object(object)
        }
    }
}

/// The texts of a step in the respondent's language (docs/reference/flows.md#languages).
private struct FlowTexts {
    private let tables: JSONObject
    private let defaultLocale: String?

    init(_ step: FlowStep) {
        tables = (step.config["localizations"] ?? step.document["localizations"])?.object ?? [:]
        defaultLocale = (step.config["default_locale"] ?? step.document["default_locale"])?.string
    }

    /// Replaces texts. A key is a path of members, element ids and indices: `title`, `fields.email.label`. The table of
    /// the requested locale overrides its base language's table, which overrides the default's.
    func localize(_ shown: inout JSONObject, for locale: String?) {
        guard !tables.isEmpty else { return }
        let matcher = LanguageMatcher(tables.map(\.key))
        let own = locale.flatMap { LanguageTag($0) }.map(matcher.all) ?? []
        let defaults = defaultLocale.flatMap { LanguageTag($0) }.map(matcher.all) ?? []
        for index in (own + defaults.filter { !own.contains($0) }).reversed() {
            let table = Array(tables)[index].value.object
            for text in table ?? [:] where text.value.string != nil {
                let path = text.key.split(separator: ".").map(String.init)[...]
                shown = Self.replacing(path, in: .object(shown), by: text.value).object ?? shown
            }
        }
    }

    private static func replacing(_ path: ArraySlice<String>, in value: JSONValue, by text: JSONValue) -> JSONValue {
        guard let key = path.first else {
            guard var option = value.object, option["label"] != nil else { return text }
            option["label"] = text
            return .object(option)
        }
        let rest = path.dropFirst()
        switch value {
        case .object(var object):
            // A text that the config does not have is added only at its top level.
            guard rest.isEmpty || object[key] != nil else { return value }
            object[key] = replacing(rest, in: object[key] ?? .null, by: text)
            return .object(object)
        case .array(var elements):
            let index = elements.firstIndex { $0.object?["id"] == .string(key) } ?? Int(key)
            guard let index, elements.indices.contains(index) else { return value }
            elements[index] = replacing(rest, in: elements[index], by: text)
            return .array(elements)
        default: return value
        }
    }
}
