internal import BellwetherJSON

/// A content block of a step, with the blocks inside it (docs/reference/flows.md#blocks).
struct FlowBlock: Sendable {
    let id: Identifier?
    /// The condition of its visibility; nil: it is always visible.
    let visibility: Condition?
    let children: [FlowBlock]
    /// The fields of the block. A form can have several.
    let fields: [FlowField]

    /// The blocks that have an answer, with its type. `input_…` is a form field outside of a form.
    private static let answerTypes: [String: any FieldType.Type] = [
        "option_list": OptionListField.self, "wheel_picker": NumberField.self,
        "date_wheel_picker": DateWheelField.self, "rating": RatingField.self, "custom_view": CustomViewField.self,
        "toggle": ToggleField.self, "otp_input": PasswordField.self,
    ]

    private static func answerType(_ name: String) -> FlowField.NamedType? {
        answerTypes[name].map { FlowField.NamedType(name: name, type: $0) }
    }

    static let maximumDepth = 16

    /// Reads the blocks of an array, and the fields inside them.
    static func read(
        _ reader: JSONReader?, around conditions: [Condition] = [], depth: Int = 1, _ budget: ConditionReader.Budget
    ) -> [FlowBlock] {
        guard let reader, let elements = reader.elements() else { return [] }
        guard depth <= maximumDepth else {
            reader.finding("limit", "blocks stand at most \(maximumDepth) levels deep")
            return []
        }
        return elements.map { FlowBlock($0, around: conditions, depth: depth, budget) }
    }

    private init(
        _ reader: JSONReader, around conditions: [Condition], depth: Int, _ budget: ConditionReader.Budget
    ) {
        guard reader.object() != nil else {
            (id, visibility, children, fields) = (nil, nil, [], [])
            return
        }
        id = reader.optional("id")?.identifier(length: 1...200)
        visibility = reader.optional("visibility_condition").map {
            VisibilityConditions.read(ConditionReader($0, budget: budget))
        }
        let inner = conditions + (visibility.map { [$0] } ?? [])
        let type = reader.required("type")?.string() ?? ""
        let inputType = type.hasPrefix("input_") ? FlowField.type(named: String(type.dropFirst(6))) : nil
        let keys = BlockKeys.types[type]
        if keys == nil, inputType == nil, !type.isEmpty {
            let meant = reader.findings.suggestion(for: type, among: BlockKeys.allTypeNames)
            reader.findings.warn(
                "unknown_block", at: reader.pointer.appending("type"),
                "the block type \(type) is unknown"
                    + (meant.map { ": did you mean \"\($0)\"?" } ?? ". The types are \(BlockKeys.typeNames(like: type))")
            )
        }
        BlockKeys.check(reader, keys ?? [:])
        if type == "form" {
            let list = reader.required("fields")
            fields = (list?.elements() ?? []).compactMap { FlowField(form: $0, around: inner, budget) }
        } else if let answerType = inputType ?? Self.answerType(type) {
            fields = FlowField(block: reader, answerType, around: inner, budget).map { [$0] } ?? []
        } else {
            fields = []
        }
        children = Self.read(reader.optional("children"), around: inner, depth: depth + 1, budget)
    }

    /// The fields of this block and of the blocks inside it.
    var allFields: [FlowField] { fields + children.flatMap(\.allFields) }
}
