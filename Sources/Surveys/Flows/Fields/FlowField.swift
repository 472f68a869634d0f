public import BellwetherJSON

/// One input of a step: a field of a form, a block with an answer, or the selection of a question
/// (docs/reference/flows.md#fields).
public struct FlowField: Sendable {
    public let id: Identifier
    public let type: any FieldType
    /// The type's name in the definition, without the prefix `input_` of a block.
    public let typeName: String
    public let label: String
    public let isRequired: Bool
    /// Whether its answers appear in no telemetry, list or log.
    public let isSensitive: Bool
    /// The value that the field shows before it has an answer.
    public let defaultValue: JSONValue?
    /// The field's own conditions, and the conditions of the blocks around it. The field is hidden unless all hold.
    let conditions: [Condition]
    /// The location where its author wrote it.
    let pointer: JSONPointer
    private let pattern: FieldPattern?

    /// All types by their names in definitions.
    static let types: [String: any FieldType.Type] = [
        "text": TextField.self, "textarea": TextAreaField.self, "number": NumberField.self, "email": EmailField.self,
        "phone": PhoneField.self, "date": DateField.self, "time": TimeField.self, "datetime": DateTimeField.self,
        "select": SelectField.self, "slider": SliderField.self, "toggle": ToggleField.self,
        "stepper": StepperField.self, "segmented": SelectField.self, "password": PasswordField.self,
        "rating": RatingField.self, "range_slider": RangeSliderField.self, "image_picker": ImagePickerField.self,
        "color": ColorField.self, "url": URLField.self, "chips": ChipsField.self, "signature": SignatureField.self,
        "location": LocationField.self,
    ]

    /// The names of the types, for messages to authors.
    static let typeNames = types.keys.sorted()

    /// Other names that some versions of the author's tools write.
    private static let otherNames = ["multiline_chips": "chips"]

    /// The type with this name, and its usual name.
    static func type(named name: String) -> NamedType? {
        let usual = otherNames[name] ?? name
        return types[usual].map { NamedType(name: usual, type: $0) }
    }

    struct NamedType {
        let name: String
        let type: any FieldType.Type
    }

    /// Creates a required input that is no field of the author.
    init(id: Identifier, _ type: any FieldType, named typeName: String, label: String, at pointer: JSONPointer) {
        (self.id, self.type, self.typeName, self.label, isRequired) = (id, type, typeName, label, true)
        (isSensitive, defaultValue, conditions, self.pointer, pattern) = (false, nil, [], pointer, nil)
    }

    /// Reads a field of a form; nil without an id, because such a field cannot have an answer.
    init?(form reader: JSONReader, around conditions: [Condition], _ budget: ConditionReader.Budget) {
        guard reader.object() != nil else { return nil }
        let id = reader.required("id")?.identifier(length: 1...200)
        let name = reader.required("type")?.string()
        var type: NamedType?
        if let name {
            type = Self.type(named: name)
            if type == nil {
                let pointer = reader.pointer.appending("type")
                reader.findings.warn(
                    "unknown_field", at: pointer,
                    "the field type \(name) is unknown; the field is a text. The types are "
                        + Self.typeNames.joined(separator: ", "))
            }
        }
        self.init(reader, id: id, type ?? NamedType(name: "text", type: TextField.self), around: conditions, budget)
    }

    /// Reads a block that has an answer. The answer's key is `field_id`, else the block's id. A block without either
    /// has no answer.
    init?(
        block reader: JSONReader, _ type: NamedType, around conditions: [Condition],
        _ budget: ConditionReader.Budget
    ) {
        guard let key = reader.optional("field_id") ?? reader.optional("id") else { return nil }
        self.init(reader, id: key.identifier(length: 1...200), type, isBlock: true, around: conditions, budget)
    }

    private init?(
        _ reader: JSONReader, id: Identifier?, _ type: NamedType, isBlock: Bool = false,
        around conditions: [Condition], _ budget: ConditionReader.Budget
    ) {
        let label = reader.optional("label")?.string()
        _ = reader.optional("placeholder")?.string()
        let isRequired = reader.optional("required")?.bool() ?? reader.optional("field_required")?.bool() ?? false
        let isSensitive = reader.optional("sensitive").map { $0.bool() ?? true } ?? false
        let keys = FieldKeys(reader, isBlock: isBlock)
        (self.type, typeName) = (type.type.init(keys), type.name)
        pattern = FieldPattern(reader.optional("validation"), budget.patterns)
        var conditions = conditions
        if let condition = reader.optional("depends_on") {
            conditions.append(DependsOnConditions.read(ConditionReader(condition, budget: budget)))
        }
        // The conditions around a block already include the block's own condition.
        if !isBlock, let condition = reader.optional("visibility_condition") {
            conditions.append(VisibilityConditions.read(ConditionReader(condition, budget: budget)))
        }
        (self.conditions, pointer) = (conditions, reader.pointer)
        defaultValue = keys.key("default_value")?.value
        guard let id else { return nil }
        self.id = id
        self.label = label ?? id.text
        (self.isRequired, self.isSensitive) = (isRequired, isSensitive)
    }

}

/// The pattern that the texts of a field must match.
private struct FieldPattern {
    /// The pattern; nil if it exceeds the budget. Then no text matches.
    private let pattern: Pattern?
    /// The author's error text; nil: the daemon's own sentence is used.
    let message: String?

    /// Reads the pattern; nil if there is none, or if it cannot be read.
    init?(_ reader: JSONReader?, _ budget: PatternBudget) {
        guard let reader, reader.object() != nil else { return nil }
        message = reader.optional("pattern_message")?.string()
        guard let key = reader.optional("pattern"), let text = key.string(), !text.isEmpty else { return nil }
        do throws(Pattern.SyntaxError) {
            pattern = try budget.compile(text)
        } catch {
            key.finding("pattern", error.sentence)
            guard error == .tooLarge else { return nil }
            pattern = nil
        }
    }

    /// Whether the pattern is found. False also if the budget is used up.
    func isFound(in text: String, _ budget: inout EvaluationBudget) -> Bool {
        pattern?.isFound(in: text, &budget) ?? false
    }
}

extension FlowField {
    /// The first fault of an answer; nil if the answer is valid.
    ///
    /// - Parameters:
    ///   - country: the respondent's country by ISO 3166-1; nil if it is unknown.
    ///   - files: the files of the run.
    func fault(
        of answer: JSONValue?, on today: CalendarDay, in country: String?, files: [FileReference],
        _ budget: inout EvaluationBudget
    ) -> FieldFault? {
        let answer = answer?.present ?? .null
        let isNoAnswer = answer == .null || type.isNoAnswer(answer)
        if isRequired, isNoAnswer || answer.isEmptyAnswer {
            return FieldFault(code: .required, text: .own(type.missing(answer) ?? .required, values: [label]))
        }
        if isNoAnswer { return nil }
        var check = FieldCheck(today: today, country: country, files: files)
        if answer.pathToNUL != nil { check.fault(.type, .nul) }
        if type.isSingleLine, let text = answer.string,
            text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            check.fault(.pattern, .controlCharacters)
        }
        type.check(answer, &check)
        if let pattern, let text = answer.string, !pattern.isFound(in: text, &budget) {
            _ = budget.endsShort(\.answers)
            if let message = pattern.message {
                check.fault(patternMessage: message)
            } else {
                check.fault(.pattern, .pattern)
            }
        }
        return check.fault
    }

    /// The fault of the field's default value as an answer, in English; nil if it has none.
    public func faultOfDefault(on today: CalendarDay) -> String? {
        guard let value = defaultValue?.present, !value.isEmptyAnswer, !type.isFile else { return nil }
        var budget = EvaluationBudget.wholeSave
        switch fault(of: value, on: today, in: nil, files: [], &budget)?.text {
        case .own(let sentence, let values): return FlowLanguage.english.say(sentence, values)
        case .patternMessage(let message): return message
        case nil: return nil
        }
    }

    /// The key of the addition to its answer; nil if its type has none.
    public var additionKey: Identifier? { type.addition.map { "\(id)\($0.suffix)" } }

    /// The keys of the step's answers that belong to the field.
    public var keys: [Identifier] { [id, additionKey].compactMap(\.self) }

    /// The part of an answer for telemetry, without secrets and files.
    func open(_ answer: JSONValue) -> JSONValue? {
        if type.isSecret || isSensitive { return nil }
        if type.isFile, let url = answer.string.flatMap({ DataURL($0) }) { return url.file.reference.json }
        return answer
    }
}
