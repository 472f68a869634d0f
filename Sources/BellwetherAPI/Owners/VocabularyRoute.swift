internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import JEXL
internal import Surveys

/// The names that a document of the app may use, for authors (docs/reference/http-api.md#vocabulary).
enum VocabularyRoute {
    static let all = [Endpoint(.get, "/v1/apps/{app}/vocabulary", .needs(.read), inBackground: get)]

    @Sendable private static func get(_ call: BackgroundCall) throws(APIError) -> Step {
        let reader = try QueryReader(call)
        for item in reader.items { reader.refuse(item.name) }
        try reader.finish()
        return .respond(call.conditional(Vocabulary(of: try call.app()).json))
    }
}

/// The built-in names, the names that the manifest declares, and the names in recipes that have not ended.
private struct Vocabulary {
    private let manifest: Manifest
    private var triggers: Set<Identifier> = []
    private var styles: Set<Identifier> = []
    private var actions: Set<Identifier> = []
    private var surfaces: Set<Identifier> = []
    private var features: Set<Identifier> = []
    private var tags: Set<Identifier> = []
    private var events: Set<Identifier> = []
    private var answers: Set<Identifier> = []
    private let derived: [JSONValue]

    init(of app: AppSnapshot) {
        manifest = app.manifest
        derived = app.definitions.all.map { event in
            ["name": .string(event.name), "of": .string(event.base), "since": .string(event.since.rfc3339)]
        }
        add(manifest.baseMessaging)
        Self.add(manifest.surfaces, to: &surfaces)
        Self.add(manifest.features.map(\.id), to: &features)
        Self.add(manifest.pacing?.caps.flatMap(\.tags) ?? [], to: &tags)
        for recipe in app.recipes.values where recipe.stored.state != .ended {
            for case let value? in recipe.recipe.messagingByBranch.map(\.value) { add(value) }
            Self.add(recipe.facts.features, to: &features)
            Self.add(DeclaredFacts.names(in: recipe.recipe.document).map { Identifier($0) }, to: &answers)
            Self.add(recipe.recipe.experiment?.targeting?.events.map { Identifier($0) } ?? [], to: &events)
        }
        for trigger in app.catalog.triggers {
            if case .success(let expression) = trigger.expression {
                Self.add(expression.events.map { Identifier($0) }, to: &events)
            }
        }
    }

    private mutating func add(_ messaging: JSONObject) {
        Self.add(Self.keys("triggers", messaging), to: &triggers)
        Self.add(Self.keys("styles", messaging), to: &styles)
        Self.add(Self.keys("actions", messaging), to: &actions)
        for (_, message) in messaging["messages"]?.object ?? [:] {
            if let surface = message.object?["surface"]?.identifier { Self.add([surface], to: &surfaces) }
            let tags = message.object?["pacing"]?.object?["tags"]?.array ?? []
            Self.add(tags.compactMap(\.identifier), to: &self.tags)
        }
    }

    private static func keys(_ variable: String, _ messaging: JSONObject) -> [Identifier] {
        messaging[variable]?.object?.filter { $0.value != .null }.map { Identifier($0.key) } ?? []
    }

    private static func add(_ names: [Identifier], to set: inout Set<Identifier>) {
        set.formUnion(names)
    }

    var json: JSONValue {
        var json: JSONObject = [
            "attributes": .array(attributes), "transforms": .array(TransformSignature.all.map(\.json)),
            "events": Self.list(events), "triggers": Self.list(triggers), "styles": Self.list(styles),
            "actions": Self.list(actions), "surfaces": Self.list(surfaces), "features": Self.list(features),
            "tags": Self.list(tags),
        ]
        if !derived.isEmpty { json["derived"] = .array(derived) }
        if !answers.isEmpty { json["answers"] = Self.list(answers) }
        return .object(json)
    }

    private static func list(_ names: Set<Identifier>) -> JSONValue {
        .array(names.sorted().map { .string($0) })
    }

    /// The manifest's attributes, which include the attributes of the SDK.
    private var attributes: [JSONValue] {
        let declared = manifest.document.object?["attributes"]?.object ?? [:]
        return manifest.attributes.sorted { $0.key.precedes($1.key) }.map { name, type in
            let source =
                declared[name] != nil ? "manifest" : SDKAttributes.derived.contains(name) ? "daemon" : "sdk"
            return ["name": .string(name), "type": .string(type.rawValue), "source": .string(source)]
        }
    }
}

/// The signature of a transform of the expression language (docs/reference/expressions.md#transforms).
private struct TransformSignature {
    let name: String
    /// The type of the value before the transform.
    let subject: String
    let arguments: [(name: String, type: String, isRequired: Bool)]
    let returns: String

    static let all: [TransformSignature] =
        [
            TransformSignature(
                name: "bucketSample", subject: "any",
                arguments: [("start", "number", true), ("count", "number", true), ("total", "number", true)],
                returns: "boolean")
        ] + EventQuery.Kind.allCases.map(of)
        + [
            TransformSignature(
                name: "versionCompare", subject: "string", arguments: [("version", "string", true)], returns: "number")
        ]

    private static func of(_ kind: EventQuery.Kind) -> TransformSignature {
        let arguments: [(name: String, type: String, isRequired: Bool)] =
            switch kind {
            case .eventAgo: [("from", "number", true), ("to", "number", false)]
            case .eventAfter: [("event", "event", true)]
            case .eventLastSeen: [("interval", "interval", true), ("start", "number", false)]
            default: [("interval", "interval", true), ("count", "number", true), ("start", "number", false)]
            }
        return TransformSignature(
            name: kind.rawValue, subject: "event", arguments: arguments, returns: kind.isBoolean ? "boolean" : "number")
    }

    var json: JSONValue {
        [
            "name": .string(name), "subject": .string(subject), "returns": .string(returns),
            "arguments": .array(
                arguments.map { name, type, isRequired in
                    ["name": .string(name), "type": .string(type), "required": .bool(isRequired)]
                }),
        ]
    }
}
