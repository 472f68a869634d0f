internal import HTTPWire

/// The query of an owner's write. A parameter that is not known is refused: a misspelled `strict` would publish what it
/// was to keep back.
struct PublishQuery {
    /// Every warning is a fault (api.md 3).
    private(set) var isStrict = false
    private(set) var isDraft = false

    enum Parameter: String {
        case strict, state
    }

    init(_ call: Call, _ allowed: Set<Parameter>) throws(APIError) {
        let reader = try QueryReader(call)
        for item in reader.items {
            let (name, value) = (item.name, item.value)
            guard let parameter = Parameter(rawValue: name), allowed.contains(parameter) else {
                reader.refuse(name)
                continue
            }
            switch (parameter, value) {
            case (.strict, "true"): isStrict = true
            case (.strict, "false"): isStrict = false
            case (.strict, _): reader.fault("choice", at: name, "strict is true or false")
            case (.state, "draft"): isDraft = true
            case (.state, "live"): isDraft = false
            case (.state, _): reader.fault("choice", at: name, "state is draft or live")
            }
        }
        try reader.finish()
    }
}
