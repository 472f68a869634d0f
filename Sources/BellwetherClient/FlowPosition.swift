public import BellwetherJSON
public import Surveys

/// The position of a person in a flow: the step to draw, and what the flow says about itself.
public struct FlowPosition: Sendable, Hashable {
    public let slug: String
    /// The id of the run on this device.
    let run: String
    public let status: FlowRun.Status
    /// The step to draw; nil after the end.
    public let step: ShownStep?
    public let stepIndex: Int?
    public let totalSteps: Int
    /// From 0 to 1; nil where the flow shows no progress.
    public let progress: Double?
    public let canGoBack: Bool
    /// The answers so far, by step and field.
    public let responses: JSONObject
    public let banner: FlowBanner?
    public let outcome: FlowOutcome?

    /// - Parameter view: a run in the form for clients (docs/reference/flows.md#runs).
    init(_ view: JSONObject, slug: String, run: String) {
        (self.slug, self.run) = (slug, run)
        status = view["status"]?.string.flatMap(FlowRun.Status.init) ?? .active
        step = view["step"].flatMap { ShownStep($0) }
        stepIndex = view["step_index"]?.integer.map { Int($0) }
        totalSteps = Int(view["total_steps"]?.integer ?? 0)
        progress = view["progress"]?.double
        canGoBack = view["can_go_back"]?.bool ?? false
        responses = view["responses"]?.object ?? [:]
        banner = view["banner"].flatMap { banner in
            guard let kind = banner["kind"].string.flatMap(FlowBanner.Kind.init), let text = banner["text"].string
            else { return nil }
            return FlowBanner(kind, text)
        }
        outcome = view["outcome"].flatMap { outcome in
            outcome["reason"].string.flatMap(FlowOutcome.Reason.init).map {
                FlowOutcome($0, target: outcome["target"].identifier)
            }
        }
    }
}

/// A step as it is drawn: texts in the person's language, with expanded templates.
public struct ShownStep: Sendable, Hashable {
    public let id: Identifier
    public let kind: FlowStep.Kind
    public let title: String?
    public let subtitle: String?
    public let buttonLabel: String?
    public let isSkippable: Bool
    /// The options of a question.
    public let options: [ShownOption]
    /// Whether several options may be chosen.
    public let allowsSeveral: Bool
    public let fields: [ShownField]
    public let blocks: [ShownBlock]
    /// The step with all its keys (docs/reference/flows.md#keys).
    public let document: JSONObject

    init?(_ json: JSONValue) {
        guard let document = json.object, let id = json["id"].identifier else { return nil }
        (self.id, self.document) = (id, document)
        kind = json["type"].string.flatMap(FlowStep.Kind.init) ?? .custom
        (title, subtitle, buttonLabel) = (json["title"].string, json["subtitle"].string, json["cta_text"].string)
        isSkippable = json["skip_enabled"].bool ?? false
        options = (json["options"].array ?? []).compactMap { ShownOption($0) }
        allowsSeveral = json["selection_mode"] == "multi"
        fields = (json["fields"].array ?? []).compactMap { ShownField($0) }
        blocks = (json["content_blocks"].array ?? []).compactMap { ShownBlock($0) }
    }
}

/// An option of a step or field.
public struct ShownOption: Sendable, Hashable {
    public let id: String
    public let label: String
    public let subtitle: String?
    public let icon: String?

    init?(_ json: JSONValue) {
        guard let id = json["id"].string ?? json["value"].string ?? json.string else { return nil }
        self.id = id
        label = json["label"].string ?? json["text"].string ?? id
        (subtitle, icon) = (json["subtitle"].string, json["icon"].string)
    }
}

/// A field of a form.
public struct ShownField: Sendable, Hashable {
    public let id: Identifier
    /// The type's name (docs/reference/flows.md#fields).
    public let type: String
    public let label: String
    public let placeholder: String?
    public let isRequired: Bool
    public let isVisible: Bool
    public let options: [ShownOption]
    /// The field with all its keys.
    public let document: JSONObject

    init?(_ json: JSONValue) {
        guard let document = json.object, let id = json["id"].identifier, let type = json["type"].string else {
            return nil
        }
        (self.id, self.type, self.document) = (id, type, document)
        (label, placeholder) = (json["label"].string ?? "", json["placeholder"].string)
        isRequired = json["required"].bool ?? false
        isVisible = json["visible"].bool ?? true
        options = (json["options"].array ?? json["config"]["options"].array ?? []).compactMap { ShownOption($0) }
    }
}

/// A block of a step.
public struct ShownBlock: Sendable, Hashable {
    /// The type's name (docs/reference/flows.md#blocks).
    public let type: String
    public let id: Identifier?
    public let text: String?
    public let isVisible: Bool
    public let children: [ShownBlock]
    public let fields: [ShownField]
    /// The block with all its keys.
    public let document: JSONObject

    init?(_ json: JSONValue) {
        guard let document = json.object, let type = json["type"].string else { return nil }
        (self.type, self.document) = (type, document)
        (id, text) = (json["id"].identifier, json["text"].string)
        isVisible = json["visible"].bool ?? true
        children = (json["children"].array ?? []).compactMap { ShownBlock($0) }
        fields = (json["fields"].array ?? []).compactMap { ShownField($0) }
    }
}

/// The reason why a flow did not begin or go on.
public enum FlowFailure: Error, Sendable, Hashable {
    /// The answers have faults, or the flow does not allow the action.
    case refused([FlowFault])
    /// The daemon does not let the person begin or go on: `inactive`, `quota_full`, `run_ended` and so on.
    case closed(reason: String)
    /// The action needs the daemon, and there is no network: a chat, a password, or a step after a hook of the owner's
    /// server. It may be tried again.
    case offline
    /// There is no such flow, or it was never loaded and there is no network.
    case unavailable
    /// The person has opted out, or has not consented.
    case notAllowed
}

/// A run of a flow as the device keeps it.
struct SavedFlow {
    /// The id of the run on this device.
    let id: String
    /// The document with which the device decides; nil if the daemon alone decides.
    let document: JSONValue?
    /// The run as the device has decided; nil if the daemon alone decides.
    var run: FlowRun?
    /// The newest form for clients.
    var view: JSONObject

    var json: JSONValue {
        var json: JSONObject = ["id": .string(id), "view": .object(view)]
        json["document"] = document
        json["run"] = run.map { .object($0.json) }
        json["responses"] = run.map { .object($0.responses) }
        return .object(json)
    }

    init(id: String, document: JSONValue?, run: FlowRun?, view: JSONObject) {
        (self.id, self.document, self.run, self.view) = (id, document, run, view)
    }

    init?(_ json: JSONValue) {
        guard let id = json["id"].string, let view = json["view"].object else { return nil }
        self.init(id: id, document: json.object?["document"], run: nil, view: view)
        if let run = json["run"].object { self.run = FlowRun(run, responses: json["responses"].object ?? [:]) }
    }

    /// Takes the daemon's view. The device goes on deciding only if it has come to the same step.
    mutating func adopt(_ view: JSONObject) {
        self.view = view
        if run?.stepID != view["step_id"]?.identifier || run?.status.rawValue != view["status"]?.string { run = nil }
    }
}
