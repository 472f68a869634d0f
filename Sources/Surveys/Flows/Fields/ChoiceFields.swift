internal import BellwetherJSON

/// The types `select` and `segmented`: an option, or an array of options with `multi_select`.
struct SelectField: FieldType {
    private let options: FieldOptions
    private let isMultiple: Bool
    private let maximum: Int?

    init(_ keys: FieldKeys) {
        options = FieldOptions(keys)
        isMultiple = keys.bool("multi_select") ?? false
        maximum = keys.count("max_selections", in: 1...1_000)
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        if isMultiple {
            options.check(several: answer, maximum: maximum, &check)
        } else {
            options.check(one: answer, &check)
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyAnswer && answer.object == nil }
    var aliases: [OptionAlias] { options.aliases }
    var optionLabels: [OptionLabel] { options.labels }
    var possibleAnswers: [JSONValue]? { isMultiple ? options.several : options.one }
    func marks(of answer: JSONValue) -> [AnswerMark] { options.marks(of: answer) }
    var scale: String? { isMultiple ? "multiple" : nil }
}

/// The block `option_list`: an option, or an array of options if several may be chosen.
struct OptionListField: FieldType {
    private let options: FieldOptions
    private let isMultiple: Bool

    init(_ keys: FieldKeys) {
        options = FieldOptions(keys)
        isMultiple = keys.key("selection_mode")?.value.string == "multi" || keys.key("multi_select")?.value == true
    }

    /// Checks the answer. A single choice may be in an array.
    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        if isMultiple || answer.array != nil {
            options.check(several: answer, maximum: isMultiple ? nil : 1, &check)
        } else {
            options.check(one: answer, &check)
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyAnswer && answer.object == nil }
    var aliases: [OptionAlias] { options.aliases }
    var optionLabels: [OptionLabel] { options.labels }
    var possibleAnswers: [JSONValue]? { isMultiple ? options.several : options.one + options.lists }
    func marks(of answer: JSONValue) -> [AnswerMark] { options.marks(of: answer) }
    var scale: String? { isMultiple ? "multiple" : nil }
}

/// The answer to a question step: `selected`, an array of options. At least one option is required.
struct QuestionSelection: FieldType {
    private let options: FieldOptions
    private let isMultiple: Bool

    /// The keys are in the step's `config`.
    init(_ keys: FieldKeys) {
        options = FieldOptions(keys)
        // An unknown mode is `single`.
        isMultiple = keys.key("selection_mode")?.value.string == "multi"
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        options.check(several: answer, maximum: isMultiple ? nil : 1, &check)
    }

    var aliases: [OptionAlias] { options.aliases }
    var optionLabels: [OptionLabel] { options.labels }
    var possibleAnswers: [JSONValue]? { isMultiple ? options.several : options.lists }
    func marks(of answer: JSONValue) -> [AnswerMark] { options.marks(of: answer) }
    var scale: String? { isMultiple ? "multiple" : nil }
}

/// The type `chips`: an array of texts. If `allow_custom` is false, only suggestions are allowed.
struct ChipsField: FieldType {
    private let maximum: Int
    private let suggestions: [Identifier]?

    init(_ keys: FieldKeys) {
        maximum = keys.count("max_chips", in: 1...1_000) ?? 50
        let suggestions = keys.texts("suggestions")?.map { Identifier($0) }
        let allowsOthers = keys.bool("allow_custom") ?? true
        self.suggestions = allowsOthers ? nil : suggestions ?? FieldOptions(keys, isRequired: false).names
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let values = answer.array else { return check.fault(.type, .texts) }
        for value in values {
            guard let text = value.identifier else { return check.fault(.type, .texts) }
            if let suggestions, !suggestions.contains(text) {
                check.fault(.notOption, .suggestion)
            }
        }
        if values.count > maximum {
            check.fault(.range, .maximumChips, "\(maximum)", bounds: ["max": .integer(Int64(maximum))])
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.array?.isEmpty == true }

    /// The suggestions in the answer. The respondent's own texts are not counted.
    func marks(of answer: JSONValue) -> [AnswerMark] {
        guard let suggestions else { return [] }
        return (answer.array ?? []).compactMap(\.identifier).filter(suggestions.contains).map { .option($0) }
    }
}

/// The type `toggle`: true or false. Both are answers, unless only true is accepted, as for a consent.
struct ToggleField: FieldType {
    private let mustBeTrue: Bool

    init(_ keys: FieldKeys) { mustBeTrue = keys.bool("must_be_true") ?? false }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        if answer.bool == nil { check.fault(.type, .boolean) }
        if mustBeTrue, answer == false { check.fault(.required, .required, "") }
    }

    var possibleAnswers: [JSONValue]? { mustBeTrue ? [true] : [true, false] }

    func marks(of answer: JSONValue) -> [AnswerMark] { answer.bool.map { [.option($0 ? "true" : "false")] } ?? [] }
}

/// The block `custom_view`: any value from the app's own view.
struct CustomViewField: FieldType {
    init(_ keys: FieldKeys) {}

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {}
    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyAnswer }
}

/// The options of a field: `{id, label, value?}`. An answer may name an option by its id or its value.
struct FieldOptions: Sendable {
    let aliases: [OptionAlias]
    let names: [Identifier]
    let labels: [OptionLabel]

    init(_ keys: FieldKeys, isRequired: Bool = true) {
        guard let reader = keys.field.optional("options") ?? keys.key("options") else {
            if isRequired { _ = keys.field.required("options") }
            (aliases, names, labels) = ([], [], [])
            return
        }
        var options: [Option] = []
        for element in reader.elements() ?? [] {
            guard let option = Self.option(element) else { continue }
            if options.contains(where: { $0.id == option.id }) {
                element.finding("duplicate", "another option has the id \(option.id)")
            }
            options.append(option)
        }
        names = options.map(\.id) + options.compactMap(\.value)
        aliases = options.compactMap { option in option.value.map { OptionAlias(id: option.id, value: $0) } }
        labels = options.flatMap { option in
            let label = option.label ?? option.id.text
            let value = option.value.map { [OptionLabel(name: $0, label: label, isID: false)] } ?? []
            return [OptionLabel(name: option.id, label: label, isID: true)] + value
        }
    }

    private struct Option {
        let id: Identifier
        var value: Identifier?
        var label: String?
    }

    /// Reads an option. A text is an option with this id.
    private static func option(_ reader: JSONReader) -> Option? {
        if let text = reader.value.string { return Option(id: Identifier(text)) }
        guard reader.object() != nil else { return nil }
        for key in ["label", "icon", "subtitle", "image_url", "description"] {
            if let text = reader.optional(key), text.value.object == nil { _ = text.string() }
        }
        guard let id = reader.required("id")?.identifier(length: 1...200) else { return nil }
        return Option(
            id: id, value: reader.optional("value").map { Identifier($0.value.canonicalText) },
            label: reader.value.object?["label"]?.string)
    }

    /// The ids of the chosen options. An option is counted by its id, even if the answer names its value.
    func marks(of answer: JSONValue) -> [AnswerMark] {
        let chosen = answer.identifier.map { [$0] } ?? answer.array?.compactMap(\.identifier) ?? []
        return chosen.filter(names.contains).map { name in
            .option(aliases.first { $0.value == name }?.id ?? name)
        }
    }

    /// Each option alone.
    var one: [JSONValue] { names.map { .string($0) } }

    /// Each option alone, in an array.
    var lists: [JSONValue] { names.map { [.string($0)] } }

    /// Every selection of options, none included; nil if there are too many.
    var several: [JSONValue]? {
        guard names.count <= 6 else { return nil }
        var selections: [[JSONValue]] = [[]]
        for name in names { selections += selections.map { $0 + [.string(name)] } }
        return selections.map { .array($0) }
    }

    func check(one answer: JSONValue, _ check: inout FieldCheck) {
        guard let name = answer.identifier else { return check.fault(.type, .optionID) }
        if !names.contains(name) { check.fault(.notOption, .option) }
    }

    /// `maximum` is the maximum number of chosen options; nil: any number.
    func check(several answer: JSONValue, maximum: Int?, _ check: inout FieldCheck) {
        guard let values = answer.array else { return check.fault(.type, .optionIDs) }
        var seen: Set<Identifier> = []
        for value in values {
            guard let name = value.identifier else { return check.fault(.type, .optionIDs) }
            if !names.contains(name) { check.fault(.notOption, .option) }
            if !seen.insert(name).inserted { check.fault(.duplicate, .optionTwice) }
        }
        if let maximum, values.count > maximum {
            check.fault(.range, .maximumOptions, "\(maximum)", bounds: ["max": .integer(Int64(maximum))])
        }
    }
}
