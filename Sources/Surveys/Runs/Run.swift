public import BellwetherBase
public import BellwetherJSON

/// The respondent of a run (docs/reference/surveys.md#respondents).
public enum Respondent: Sendable, Hashable {
    case user(Identifier)
    case client(Identifier)
    /// An anonymous respondent. The run can be found only by its own id.
    case anonymous

    /// A key that differs between all respondents of an app; nil for an anonymous one.
    public var key: Identifier? {
        switch self {
        case .user(let id): "user:\(id)"
        case .client(let id): "client:\(id)"
        case .anonymous: nil
        }
    }

    public var userID: Identifier? { if case .user(let id) = self { id } else { nil } }
}

/// The source of an imported response.
public struct RunOrigin: Sendable, Hashable {
    /// The source system, as the importing owner names it: `owlmetry`.
    public let source: Identifier
    /// The response's id in the source system.
    public let id: Identifier

    public init(source: Identifier, id: Identifier) { (self.source, self.id) = (source, id) }

    init?(_ json: JSONObject) {
        guard let source = json["source"]?.identifier, let id = json["id"]?.identifier else { return nil }
        self.init(source: source, id: id)
    }
}

/// One respondent's answers to one recipe: a draft first, then a response (docs/reference/surveys.md#runs).
public struct Run: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// The run is saved and not submitted.
        case draft
        case new
        case inReview = "in_review"
        case addressed
        case dismissed
        /// The run was saved by force. It is not counted.
        case preview
        /// A quota was full.
        case screenedOut = "screened_out"

        /// Whether an owner may set this status and change it.
        public var isTriage: Bool {
            switch self {
            case .new, .inReview, .addressed, .dismissed: true
            case .draft, .preview, .screenedOut: false
            }
        }
    }

    public let id: Identifier
    public let slug: Identifier
    public let kind: ContentKind
    /// The recipe's revision against which the last save was judged.
    public var revision: Int
    public var respondent: Respondent
    /// The client on which the run began. A client's run has the id of that client.
    public var clientID: Identifier?
    /// The user whose own response was kept when this run's client was identified. This run is erased with the user.
    public var mergedUserID: Identifier?
    /// The user to whom the client's facts went when it was identified, if one is an answer of this run, and the run
    /// stayed with the client. The fact ends with the run (docs/reference/audiences.md#answers).
    public var factUserID: Identifier?
    public var status: Status
    /// The answers. In a flow they are by step and field.
    public var answers: JSONObject
    /// The ids of questions whose answers appear in no list and no telemetry. For a flow they are pointers such as
    /// `/form/email`.
    public var sensitiveIDs: [Identifier]
    /// The state of a flow's run.
    public private(set) var flow: FlowRun?
    /// The questions as they were at the final save.
    public var snapshot: JSONObject?
    public let createdAt: Timestamp
    public var updatedAt: Timestamp
    public var submittedAt: Timestamp?
    /// The time of deletion by an owner or by the clean-up. The run will be removed.
    public var deletedAt: Timestamp?
    /// The round that the run is the answer of, or of a draft the round that was open at its last save
    /// (docs/reference/rounds.md#rounds). Nil for a run without a respondent, and for a preview.
    public var round: Int?
    /// Whether a version before 0.2 saved the answer, which has no respondent.
    private var isOfEarlierVersion = false
    /// The message that presented the recipe, and the experiment's branch to which the message belonged.
    public var message: Identifier?
    public var experiment: Identifier?
    public var branch: Identifier?
    /// The facts that the client sent about itself: `app_version`, `locale` and so on.
    public var facts: JSONObject
    /// The attributes of the respondent that the recipe keeps.
    public var attributes: JSONObject
    public var isDevelopment: Bool
    /// The source of an imported response; nil if the response was given here.
    public var origin: RunOrigin?
    /// The names of the quotas that count the run.
    public var quotas: [Identifier]
    public var comments: [Comment]
    /// The number of the last comment, even if it is deleted.
    public var commentCount: Int
    /// The marks of the answers (`AnswerMark`) by the keys of their series, from the revision of the last save. Nil if
    /// the daemon's version that saved it last made no marks.
    public var marks: JSONObject?
    /// The question at which a draft stopped.
    public var stoppedAt: Identifier?
    /// The values that the respondent gave on scales in the round before, by the keys of their series. Nil in round 1
    /// (docs/reference/rounds.md#results).
    public var formerValues: JSONObject?

    public init(
        id: Identifier, slug: Identifier, kind: ContentKind, revision: Int, respondent: Respondent, at now: Timestamp
    ) {
        (self.id, self.slug, self.kind, self.revision, self.respondent) = (id, slug, kind, revision, respondent)
        (createdAt, updatedAt) = (now, now)
        (status, answers, facts, attributes, isDevelopment) = (.draft, [:], [:], [:], false)
        (sensitiveIDs, quotas, comments, commentCount) = ([], [], [], 0)
        if case .client(let id) = respondent { clientID = id }
        round = usualRound
    }

    /// The round, where it is told: if the recipe repeats, or if the round is not the first one.
    public func statedRound(repeats: Bool) -> Int? { round.flatMap { repeats || $0 > 1 ? $0 : nil } }

    /// The round in whose group of results the answer is; nil if it has no respondent.
    public var countedRound: Int? { submittedAt == nil || respondent.key == nil ? nil : round }

    /// Whether the answer has no respondent, and results by round leave it out. Answers that versions before 0.2 saved
    /// are counted as answers of the first round.
    var isCountedWithoutRespondent: Bool {
        respondent.key == nil && submittedAt != nil && status != .preview && !isOfEarlierVersion
    }

    /// The round that is not stored: the first one of a run that has a respondent, or had one whose user had answers
    /// already.
    private var usualRound: Int? { status != .preview && (respondent.key ?? mergedUserID) != nil ? 1 : nil }

    public struct Comment: Sendable, Hashable {
        /// The number within the run.
        public let number: Int
        public let author: String
        public var body: String
        public let createdAt: Timestamp
        public var updatedAt: Timestamp

        public init(number: Int, author: String, body: String, createdAt: Timestamp, updatedAt: Timestamp) {
            (self.number, self.author, self.body) = (number, author, body)
            (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
        }
    }

    /// The answers that lists and telemetry may show.
    public var openAnswers: JSONObject {
        guard kind == .flow, !sensitiveIDs.isEmpty else {
            return JSONObject(answers.filter { !sensitiveIDs.contains(Identifier($0.key)) })
        }
        return JSONObject(
            answers.map { step, value in
                guard let fields = value.object else { return (step, value) }
                let open = fields.filter { field in
                    !sensitiveIDs.contains(Identifier(JSONPointer(tokens: [step, field.key]).description))
                }
                return (step, .object(JSONObject(open)))
            })
    }

    /// Stores the new state of a flow. A run that continues is a draft. A run that has ended is new, and it is
    /// submitted if it was completed.
    public mutating func enter(_ flow: FlowRun, of definition: FlowDefinition, at now: Timestamp) {
        self.flow = flow
        (answers, updatedAt, sensitiveIDs) = (flow.responses, now, definition.sensitivePointers)
        marks = definition.marking(self).marks
        attributes = definition.keep.values(of: flow.attributes)
        // After the end of the run, owners set the status.
        guard flow.status != .active else { return }
        if status == .draft { status = .new }
        if flow.status == .completed { submittedAt = submittedAt ?? now }
    }
}

/// The stored form of a run: one JSON object.
extension Run {
    public var json: JSONObject {
        var json: JSONObject = [
            "id": .string(id), "slug": .string(slug), "kind": .string(kind.rawValue),
            "revision": .integer(Int64(revision)), "status": .string(status.rawValue), "answers": .object(answers),
            "created_at": .integer(createdAt.milliseconds), "updated_at": .integer(updatedAt.milliseconds),
            "facts": .object(facts), "is_dev": .bool(isDevelopment),
        ]
        switch respondent {
        case .user(let id): json["user"] = .string(id)
        case .client(let id): json["client"] = .string(id)
        case .anonymous: break
        }
        json["origin"] = origin.map { ["source": .string($0.source), "id": .string($0.id)] }
        json["flow"] = flow.map { .object($0.json) }
        json["client_id"] = clientID.map { .string($0) }
        json["merged_user"] = mergedUserID.map { .string($0) }
        json["fact_user"] = factUserID.map { .string($0) }
        json["snapshot"] = snapshot.map { .object($0) }
        json["submitted_at"] = submittedAt.map { .integer($0.milliseconds) }
        json["deleted_at"] = deletedAt.map { .integer($0.milliseconds) }
        // Earlier versions of the daemon stored no round. 0 stands for none.
        if round != usualRound { json["round"] = .integer(Int64(round ?? 0)) }
        if isCountedWithoutRespondent { json["without_respondent"] = true }
        json["message"] = message.map { .string($0) }
        json["experiment"] = experiment.map { .string($0) }
        json["branch"] = branch.map { .string($0) }
        if !attributes.isEmpty { json["attributes"] = .object(attributes) }
        if !sensitiveIDs.isEmpty { json["sensitive"] = .array(sensitiveIDs.map { .string($0) }) }
        if !quotas.isEmpty { json["quotas"] = .array(quotas.map { .string($0) }) }
        if commentCount > 0 {
            json["comment_count"] = .integer(Int64(commentCount))
            json["comments"] = .array(comments.map(\.json))
        }
        json["marks"] = marks.map { .object($0) }
        json["stopped_at"] = stoppedAt.map { .string($0) }
        json["former_values"] = formerValues.map { .object($0) }
        return json
    }

    /// Reads a stored run; nil for JSON that no version of the daemon has written.
    public init?(_ json: JSONObject) {
        guard let id = json["id"]?.identifier, let slug = json["slug"]?.identifier,
            let kind = json["kind"]?.string.flatMap(ContentKind.init(rawValue:)),
            let revision = json["revision"]?.integer, let answers = json["answers"]?.object,
            let status = json["status"]?.string.flatMap(Status.init(rawValue:)), let created = json.time("created_at"),
            let updated = json.time("updated_at")
        else { return nil }
        let respondent: Respondent =
            json["user"]?.identifier.map { .user($0) } ?? json["client"]?.identifier.map { .client($0) } ?? .anonymous
        self.init(id: id, slug: slug, kind: kind, revision: Int(revision), respondent: respondent, at: created)
        (self.status, self.answers, updatedAt) = (status, answers, updated)
        // A stored run may lack it if an anonymous run became a client's.
        clientID = json["client_id"]?.identifier ?? json["client"]?.identifier
        (mergedUserID, snapshot) = (json["merged_user"]?.identifier, json["snapshot"]?.object)
        factUserID = json["fact_user"]?.identifier
        flow = json["flow"]?.object.flatMap { FlowRun($0, responses: answers) }
        (submittedAt, deletedAt) = (json.time("submitted_at"), json.time("deleted_at"))
        round = json["round"]?.integer.map { $0 == 0 ? nil : Int($0) } ?? usualRound
        isOfEarlierVersion =
            respondent.key == nil && submittedAt != nil && status != .preview && json["without_respondent"] == nil
        (message, experiment) = (json["message"]?.identifier, json["experiment"]?.identifier)
        (branch, facts) = (json["branch"]?.identifier, json["facts"]?.object ?? [:])
        attributes = json["attributes"]?.object ?? [:]
        isDevelopment = json["is_dev"]?.bool ?? false
        origin = json["origin"]?.object.flatMap { RunOrigin($0) }
        sensitiveIDs = json["sensitive"]?.array?.compactMap(\.identifier) ?? []
        quotas = json["quotas"]?.array?.compactMap(\.identifier) ?? []
        comments = json["comments"]?.array?.compactMap { Comment($0) } ?? []
        commentCount = Int(json["comment_count"]?.integer ?? 0)
        (marks, stoppedAt) = (json["marks"]?.object, json["stopped_at"]?.identifier)
        formerValues = json["former_values"]?.object
    }
}

extension Run.Comment {
    fileprivate var json: JSONValue {
        [
            "number": .integer(Int64(number)), "author": .string(author), "body": .string(body),
            "created_at": .integer(createdAt.milliseconds), "updated_at": .integer(updatedAt.milliseconds),
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let json = json.object, let number = json["number"]?.integer, let author = json["author"]?.string,
            let body = json["body"]?.string, let created = json.time("created_at"),
            let updated = json.time("updated_at")
        else { return nil }
        self.init(number: Int(number), author: author, body: body, createdAt: created, updatedAt: updated)
    }
}

extension JSONObject {
    fileprivate func time(_ key: String) -> Timestamp? { self[key]?.integer.map { Timestamp(milliseconds: $0) } }
}
