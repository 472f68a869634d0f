internal import BellwetherJSON
internal import Surveys

/// The fields of a flow's steps, and their locations in the author's document.
struct FlowOutline {
    /// A choice among options; nil for any other field.
    struct Choice {
        /// The ids and values of the options: an answer names an option by either.
        var names: [Identifier] = []
        var labels: [(label: String, id: Identifier)] = []
        var isSingle = true
    }

    struct Step {
        let id: Identifier
        /// The step's position in the flow.
        let index: Int
        /// `config` and `layout`.
        let configs: [JSONReader]
        let reader: JSONReader
        /// The ids of the step's answers.
        var answers: Set<Identifier>
        var choices: [Identifier: Choice] = [:]
        var toggles: Set<Identifier> = []
        /// The fields and blocks that have an answer, with their locations.
        var fields: [(id: Identifier, location: JSONReader, isBlock: Bool)] = []
        /// All blocks, including nested blocks.
        var blocks: [JSONReader] = []
        /// Whether a hook may add answers that no field has.
        let isOpen: Bool

        func config(_ key: String) -> JSONReader? { configs.lazy.compactMap { $0.optional(key) }.first }
    }

    private(set) var steps: [Step] = []
    /// The steps that may come after each step; nil if any step may.
    private let reach: [Set<Int>]?

    /// The answers that a chat stores (docs/reference/flows.md#chats).
    private static let chatAnswers: Set<Identifier> = [
        "transcript", "user_turn_count", "total_message_count", "completion_reason", "duration_ms", "rating",
        "webhook_data",
    ]

    init(_ flow: FlowDefinition, _ document: JSONReader) {
        reach = flow.reach
        steps = zip(flow.steps, document.optional("steps")?.elements() ?? []).enumerated().map { index, pair in
            Self.step(pair.0, index, pair.1)
        }
    }

    /// Whether a step may come after another one, but never before it.
    func isLater(_ step: Step, than other: Step) -> Bool {
        guard let reach, reach.count > max(step.index, other.index), step.index != other.index else { return false }
        return reach[other.index].contains(step.index) && !reach[step.index].contains(other.index)
    }

    subscript(id: Identifier) -> Step? { steps.first { $0.id == id } }

    private static func step(_ step: FlowStep, _ index: Int, _ reader: JSONReader) -> Step {
        let configs = ["config", "layout"].compactMap { reader.optional($0) }.filter { $0.value.object != nil }
        var outline = Step(
            id: step.id, index: index, configs: configs, reader: reader,
            answers: step.chatHook == nil ? Set(step.fields.flatMap(\.keys)) : chatAnswers, isOpen: step.hook != nil)
        if step.kind == .question, let options = outline.config("options") {
            outline.choices["selected"] = choice(options, isSingle: outline.config("selection_mode")?.value != "multi")
        }
        for field in elements(outline.config("fields")) { outline.add(field) }
        outline.addBlocks(outline.config("content_blocks") ?? reader.optional("content_blocks"), depth: 0)
        return outline
    }

    static func elements(_ reader: JSONReader?) -> [JSONReader] {
        guard let reader, reader.value.array != nil else { return [] }
        return (reader.elements() ?? []).filter { $0.value.object != nil }
    }

    fileprivate static func choice(_ options: JSONReader, isSingle: Bool) -> Choice {
        var choice = Choice(isSingle: isSingle)
        for option in options.value.array ?? [] {
            if let text = option.identifier { choice.names.append(text) }
            guard let object = option.object, let id = object["id"]?.identifier else { continue }
            choice.names.append(id)
            if let value = object["value"], value != .null {
                choice.names.append(Identifier(value.string ?? value.text))
            }
            if let label = object["label"]?.string { choice.labels.append((label, id)) }
        }
        return choice
    }
}

extension FlowOutline.Step {
    private static let choiceTypes: Set<String> = [
        "select", "segmented", "option_list", "input_select", "input_segmented",
    ]

    fileprivate mutating func add(_ field: JSONReader, isBlock: Bool = false) {
        let key = isBlock ? field.optional("field_id") ?? field.optional("id") : field.optional("id")
        guard let id = key?.value.identifier, let type = field.value.object?["type"]?.string else { return }
        fields.append((id, field, isBlock))
        if type == "toggle" || type == "input_toggle" { toggles.insert(id) }
        let config = field.optional("config")
        let options = field.optional("options") ?? config?.optional("options")
        guard Self.choiceTypes.contains(type), let options else { return }
        let several = [config, isBlock ? field : nil].compactMap(\.self).contains { object in
            object.optional("multi_select")?.value == true || object.optional("selection_mode")?.value == "multi"
        }
        choices[id] = FlowOutline.choice(options, isSingle: !several)
    }

    fileprivate mutating func addBlocks(_ list: JSONReader?, depth: Int) {
        guard depth < 16 else { return }
        for block in FlowOutline.elements(list) {
            blocks.append(block)
            if block.value.object?["type"] == "form" {
                for field in FlowOutline.elements(block.optional("fields")) { add(field) }
            } else {
                add(block, isBlock: true)
            }
            addBlocks(block.optional("children"), depth: depth + 1)
        }
    }
}
