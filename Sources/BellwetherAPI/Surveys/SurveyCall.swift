internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The parts of a request that routes of questionnaires and surveys read.
struct SurveyCall {
    let call: Call
    let app: AppSnapshot
    let recipe: LoadedRecipe
    let content: SurveyContent

    /// A recipe that was never live is not found (docs/reference/http-api.md#questionnaires).
    ///
    /// - Parameter app: The app; nil for the app in the path.
    init(_ call: Call, _ kind: ContentKind, in app: AppSnapshot? = nil) throws(APIError) {
        self.call = call
        if let app { self.app = app } else { self.app = try call.app() }
        let app = self.app
        let slug = call.parameter("slug")
        guard let recipe = app.recipes[slug], let content = recipe.survey,
            content.definition.kind == kind, recipe.stored.state != .draft
        else { throw .noContent(kind, slug, in: app) }
        (self.recipe, self.content) = (recipe, content)
    }

    var slug: Identifier { recipe.stored.slug }
    var definition: SurveyDefinition { content.definition }

    /// Continues with the facts for the judgement of answers. They include the lists and the respondent's facts that
    /// predicates read.
    ///
    /// - Parameter answers: the respondent's facts, if they were read before.
    func withFacts(
        _ attributes: JSONObject, of clientID: Identifier?, answers: RespondentFacts? = nil,
        _ proceed: @escaping (QuestionFacts) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        let ids = RespondentIDs(app: app.name, clientID: clientID, userID: nil)
        let mayRead = RunAccess(call, ids, responseID: nil).mayReadRespondent
        func proceedKnowing(_ state: ClientState) throws(APIError) -> Handling {
            var state = state
            if let answers { state.facts = answers } else if !mayRead { state.facts = RespondentFacts() }
            let known = app.attributes(of: content, attributes, clientID, state)
            return try proceed(content.facts(at: call.arrived, attributes: known))
        }
        let predicates = content.predicates
        guard !predicates.lists.isEmpty || answers == nil && !predicates.facts.isEmpty, let clientID else {
            return try proceedKnowing(ClientState())
        }
        return try call.withState(of: ClientReference(app: app.name, id: clientID), proceedKnowing)
    }

    /// Judges the draft that a respondent continues, and proceeds with it and the questions that its answers show.
    func withDraft(
        of finding: FetchRun.Finding, attributes: JSONObject = [:], clientID: Identifier? = nil,
        _ proceed: @escaping (ShownDraft) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        try withFacts(attributes, of: clientID, answers: finding.facts) { (facts) throws(APIError) in
            try showDraft(of: finding, facts, proceed)
        }
    }

    private func showDraft(
        of finding: FetchRun.Finding, _ facts: QuestionFacts,
        _ proceed: @escaping (ShownDraft) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        try call.judging { [content] budget in
            var shown = ShownDraft()
            if let run = finding.draft {
                shown.id = run.id
                (shown.answers, shown.resumeAt) = content.run.draft(of: run, facts, &budget)
            }
            if content.kind == .survey {
                shown.questions = content.definition.questions.evaluate(shown.answers, facts, &budget).shown.map(\.id)
            }
            return shown
        } then: { (shown) throws(APIError) in
            try proceed(shown)
        }
    }

    /// An id with 128 random bits. A run's id gives access to the run.
    static func randomID() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Identifier(Digest.hex(bytes))
    }
}

/// The draft that a respondent continues.
struct ShownDraft: Sendable {
    /// The id of the run; nil if there is no draft.
    var id: Identifier?
    /// The answers that the live revision takes.
    var answers: JSONObject = [:]
    /// The question at which to continue.
    var resumeAt: Identifier?
    /// The questions of a survey that the answers show.
    var questions: [Identifier] = []
}

/// The request for a definition.
struct DefinitionRequest {
    var ids: RespondentIDs
    var responseID: Identifier?
    private var userProof: String?
    var locale: LanguageTag?
    var isForced = false
    var attributes: JSONObject = [:]

    /// Reads the query. An attribute gets the type that the manifest declares; an undeclared attribute is ignored.
    init(_ survey: SurveyCall) throws(APIError) {
        let (call, app) = (survey.call, survey.app)
        ids = RespondentIDs(app: app.name, clientID: nil, userID: nil)
        let reader = try QueryReader(call)
        for item in reader.items {
            switch item.name {
            case "client_id": ids.clientID = reader.identifier(item)
            case "user_id": ids.userID = reader.identifier(item)
            case "response_id": responseID = reader.identifier(item)
            case "user_proof": userProof = item.value
            case "bundle_id": break
            case "force": isForced = Self.flag(item, reader)
            case "locale": locale = reader.languageTag(item)
            default: attribute(item, app, reader)
            }
        }
        try reader.finish()
        try call.requireProof(of: ids.userID, userProof, in: app)
        locale = locale ?? ContextReading.acceptedLanguage(call, in: app)
        if let id = ids.clientID { try call.limit(client: id, of: app) }
    }

    private mutating func attribute(_ item: QueryItem, _ app: AppSnapshot, _ reader: QueryReader) {
        guard let type = app.manifest.attributes[item.name] else { return }
        if let value = type.decode(item.value) {
            attributes[item.name] = value
        } else {
            reader.fault("type", at: item.name, "\(item.name) is not a JSON \(type.rawValue)")
        }
    }

    private static func flag(_ item: QueryItem, _ reader: QueryReader) -> Bool {
        switch item.value {
        case "true", "1": return true
        case "false", "0", "": return false
        default:
            reader.fault("type", at: item.name, "\(item.name) is true or false")
            return false
        }
    }
}

extension JSONReader {
    /// Reads `client_id` and `user_id` of a body.
    func respondent(in app: AppSnapshot) -> RespondentIDs {
        RespondentIDs(
            app: app.name, clientID: optional("client_id")?.identifier(), userID: optional("user_id")?.identifier())
    }

    /// Reads `user_proof` of a body.
    var userProof: String? { optional("user_proof")?.string(length: 0...256) }
}
