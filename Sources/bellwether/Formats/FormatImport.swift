internal import BellwetherAuthoring
internal import BellwetherJSON
internal import BellwetherService

/// Converts a document of another system to recipes (docs/reference/surveys.md#import-and-export). Unknown keys stay,
/// and all keys keep their order. Members without a counterpart are reported.
struct FormatImport {
    struct Recipe {
        let document: JSONValue
        /// The location of the recipe's members in the source: members below `prefix` are below `root`.
        var prefix: [String] = []
        var root = JSONPointer.root
    }

    private(set) var recipes: [Recipe] = []
    private(set) var notes: [Finding] = []
    /// The output, which `check` and `push` accept as a file.
    private(set) var output: JSONValue = .null

    /// Nil if the document has no known format.
    ///
    /// - Parameter name: The name of a questionnaire of which only the questions are given.
    init?(_ document: JSONValue, named name: String) {
        guard let format = ForeignFormat(document) else {
            guard let object = document.object, ForeignFormat.isRecipe(object) else { return nil }
            takeRecipes(object)
            return
        }
        switch format {
        case .questionnaire: takeQuestionnaire(document)
        case .questionnaires: takeList(document, key: "questionnaires")
        case .experiments: takeList(document, key: "changes")
        case .schema: take([Self.questionnaire(document, name)], prefix: ["schema"])
        case .schemaQuestions:
            let questions = Self.list(document)
            take(
                [Self.questionnaire(["version": 1, "questions": questions.value], name)],
                prefix: ["schema", "questions"] + questions.prefix)
        case .survey:
            take([Self.kind("survey", document)])
            if document.object?["submit"] == nil { notes.append(Self.noSubmit) }
        case .surveyQuestions:
            let questions = Self.list(document)
            take([["kind": "survey", "questions": questions.value]], prefix: ["questions"] + questions.prefix)
        case .flow: take([Self.kind("flow", document)])
        case .flows: takeBundle(document)
        case .other: return nil
        }
    }

    private mutating func take(_ documents: [JSONValue], prefix: [String] = []) {
        recipes = documents.map { Recipe(document: $0, prefix: prefix) }
        output = recipes.first?.document ?? .null
    }

    private static func kind(_ kind: String, _ document: JSONValue) -> JSONValue {
        .object(JSONObject([(key: "kind", value: .string(kind))] + Array(document.object ?? [:])))
    }

    private static func questionnaire(_ schema: JSONValue, _ name: String) -> JSONValue {
        ["kind": "questionnaire", "name": .string(name), "schema": schema]
    }

    /// A single question becomes a list with one element, whose members are at the root of the source.
    private static func list(_ document: JSONValue) -> (value: JSONValue, prefix: [String]) {
        document.array == nil ? ([document], ["0"]) : (document, [])
    }

    /// Takes one recipe, or an envelope of several.
    private mutating func takeRecipes(_ object: JSONObject) {
        output = .object(object)
        if object["kind"] == nil, let entries = object["data"]?.array {
            for (index, entry) in entries.enumerated() {
                add(entry, at: JSONPointer.root.appending("data").appending(index), from: .experiment)
            }
        } else {
            add(.object(object), at: .root, from: .experiment)
        }
    }

    private mutating func takeQuestionnaire(_ document: JSONValue) {
        let isFetched = document.object?["schema"] == nil
        let questionnaire = isFetched ? document.object?["questionnaire"] ?? .null : document
        let root = isFetched ? JSONPointer.root.appending("questionnaire") : .root
        if isFetched { noteRest(of: document, but: ["questionnaire"]) }
        add(Self.kind("questionnaire", questionnaire), at: root, from: .questionnaire)
        output = recipes.first?.document ?? .null
    }

    private mutating func takeList(_ document: JSONValue, key: String) {
        let isQuestionnaires = key == "questionnaires"
        let root = document.array == nil ? JSONPointer.root.appending(key) : .root
        noteRest(of: document, but: [key])
        for (index, entry) in (document.array ?? document.object?[key]?.array ?? []).enumerated() {
            let recipe = isQuestionnaires && entry.object != nil ? Self.kind("questionnaire", entry) : entry
            add(recipe, at: root.appending(index), from: isQuestionnaires ? .questionnaire : .experiment)
        }
        output = ["data": .array(recipes.map(\.document))]
    }

    /// Takes a bundle without changes.
    private mutating func takeBundle(_ document: JSONValue) {
        output = document
        notes += Self.notes(ofBundle: document)
        for (id, flow) in document.object?["flows"]?.object ?? [:] {
            let root = JSONPointer(tokens: ["flows", id])
            recipes.append(Recipe(document: Self.kind("flow", flow), root: root))
        }
    }

    private mutating func add(_ document: JSONValue, at root: JSONPointer, from source: Counterparts) {
        recipes.append(Recipe(document: document, root: root))
        notes += source.notes(of: document, at: root)
    }

    /// Reports members of an envelope that are not imported.
    private mutating func noteRest(of envelope: JSONValue, but keys: Set<String>) {
        for member in envelope.object ?? [:] where !keys.contains(member.key) && !member.value.saysNothing {
            let isPage = member.key == "has_more"
            notes.append(
                Finding(
                    pointer: JSONPointer.root.appending(member.key), code: Self.noCounterpart,
                    message: isPage
                        ? "the list goes on: fetch the pages behind this one, too"
                        : "\(JSONValue.string(member.key).text) has no counterpart: it is left out"))
        }
    }

    /// Reports the members of a bundle other than its flows.
    static func notes(ofBundle bundle: JSONValue) -> [Finding] {
        (bundle.object ?? [:]).filter { !["flows", "active_flow_id"].contains($0.key) && !$0.value.saysNothing }.map {
            Finding(
                pointer: JSONPointer.root.appending($0.key), code: noCounterpart,
                message: "\(JSONValue.string($0.key).text) has no counterpart: only flows are taken")
        }
    }

    static let noCounterpart = "no_counterpart"

    /// SurveyNative's apps need what is optional here.
    private static let noSubmit = Finding(
        pointer: .root, code: "no_submit", message: "it has no \"submit\": the last button has the built-in text")
}

/// The keys of a format that Bellwether does not read, each with the reason.
private struct Counterparts {
    let reasons: [(key: String, reason: String)]

    /// The keys of a questionnaire in Owlmetry's API.
    static let questionnaire = Counterparts(reasons: [
        ("id", "a questionnaire is known by its slug"),
        ("project_id", "there are apps, and no projects"),
        ("app_id", "a questionnaire is that of the app that it is pushed to"),
        ("created_by", "the revisions of the recipe have their authors"),
        ("created_at", "the revisions of the recipe have their times"),
        ("updated_by", "the revisions of the recipe have their authors"),
        ("updated_at", "the revisions of the recipe have their times"),
        ("deleted_at", "a recipe that is to take no answers is ended, or not pushed"),
        ("response_count", "results count the responses"),
        ("submitted_count", "results count the responses"),
        ("last_response_at", "the list of responses begins with the newest"),
    ])

    /// The keys of a recipe in Experimenter.
    static let experiment = Counterparts(reasons: [
        ("outcomes", "nothing is measured but what recipes of messages and surveys count"),
        ("probeSets", "nothing is measured but what recipes of messages and surveys count"),
        ("proposedDuration", "an experiment ends at its endDate"),
        ("localizations", "texts in other languages are the app's strings"),
        ("locales", "who takes part in which language is said by targeting"),
        ("firefoxLabsTitle", "the app shows what its users may choose"),
        ("firefoxLabsDescription", "the app shows what its users may choose"),
        ("firefoxLabsDescriptionLinks", "the app shows what its users may choose"),
        ("firefoxLabsGroup", "the app shows what its users may choose"),
        ("requiresRestart", "every poll decides anew"),
    ])

    func notes(of document: JSONValue, at root: JSONPointer) -> [Finding] {
        guard let object = document.object else { return [] }
        return reasons.compactMap { key, reason in
            guard let value = object[key], !value.saysNothing else { return nil }
            return Finding(
                pointer: root.appending(key), code: FormatImport.noCounterpart,
                message:
                    "\(JSONValue.string(key).text) has no counterpart (\(reason)): it is kept, and nothing reads it"
            )
        }
    }
}

extension JSONValue {
    /// Whether the value is empty, so that its omission loses no information.
    fileprivate var saysNothing: Bool {
        switch self {
        case .null, .bool(false), .array([]): true
        case .object(let members): members.isEmpty
        default: false
        }
    }
}
