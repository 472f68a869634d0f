public import BellwetherBase
public import BellwetherJSON

/// The respondent of a run (docs/reference/surveys.md#respondents).
public enum Respondent: Sendable, Hashable {
    case user(String)
    case client(String)
    /// Only the run's own id leads to it.
    case anonymous

    /// A key that is different for all respondents of an app; nil: an anonymous run has none.
    public var key: String? {
        switch self {
        case .user(let id): "user:" + id
        case .client(let id): "client:" + id
        case .anonymous: nil
        }
    }

    public var userID: String? { if case .user(let id) = self { id } else { nil } }
}

/// Where a response was given that was imported.
public struct RunOrigin: Sendable, Hashable {
    /// The system, as the importing owner names it: `owlmetry`.
    public let source: String
    /// The response's id there.
    public let id: String

    public init(source: String, id: String) { (self.source, self.id) = (source, id) }

    init?(_ json: JSONObject) {
        guard let source = json["source"]?.string, let id = json["id"]?.string else { return nil }
        self.init(source: source, id: id)
    }
}

/// One respondent's answers to one recipe: a draft first, then a response (docs/reference/surveys.md#runs).
public struct Run: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Saved, not submitted.
        case draft
        case new
        case inReview = "in_review"
        case addressed
        case dismissed
        /// Saved by force. It counts nowhere.
        case preview
        /// A quota was full.
        case screenedOut = "screened_out"

        /// Whether an owner may set it, and may set another.
        public var isTriage: Bool {
            switch self {
            case .new, .inReview, .addressed, .dismissed: true
            case .draft, .preview, .screenedOut: false
            }
        }
    }

    public let id: String
    public let slug: String
    public let kind: ContentKind
    /// The recipe's revision that the last save was judged by.
    public var revision: Int
    public var respondent: Respondent
    /// On which it began. A client's run has that client's.
    public var clientID: String?
    /// The user whose own response stayed when this one's client was identified. It is erased with the user.
    public var mergedUserID: String?
    public var status: Status
    /// The answers; of a flow by step and field.
    public var answers: JSONObject
    /// Ids of questions whose answers appear in no list and no telemetry; of a flow pointers such as `/form/email`.
    public var sensitiveIDs: [String]
    /// Where the respondent is in a flow.
    public private(set) var flow: FlowRun?
    /// The questions as they were at the final save.
    public var snapshot: JSONObject?
    public let createdAt: Timestamp
    public var updatedAt: Timestamp
    public var submittedAt: Timestamp?
    /// Deleted by an owner or by the clean-up; it will be gone.
    public var deletedAt: Timestamp?
    /// The message that presented it, and the experiment's branch that the message belonged to.
    public var message: String?
    public var experiment: String?
    public var branch: String?
    /// The facts that the client sent about itself: `app_version`, `locale` and so on.
    public var facts: JSONObject
    /// Attributes of the respondent that the recipe keeps.
    public var attributes: JSONObject
    public var isDevelopment: Bool
    /// Nil: it was given here.
    public var origin: RunOrigin?
    /// Names of the quotas in which it has a place.
    public var quotas: [String]
    public var comments: [Comment]
    /// The last comment's number, also of one that is deleted.
    public var commentCount: Int
    /// The marks of the answers, by question (`AnswerMark`), as the last save's revision made them. Nil: the version of
    /// the daemon that saved it last made none.
    public var marks: JSONObject?
    /// The question at which a draft stands.
    public var stoppedAt: String?

    public init(id: String, slug: String, kind: ContentKind, revision: Int, respondent: Respondent, at now: Timestamp) {
        (self.id, self.slug, self.kind, self.revision, self.respondent) = (id, slug, kind, revision, respondent)
        (createdAt, updatedAt) = (now, now)
        (status, answers, facts, attributes, isDevelopment) = (.draft, [:], [:], [:], false)
        (sensitiveIDs, quotas, comments, commentCount) = ([], [], [], 0)
        if case .client(let id) = respondent { clientID = id }
    }

    public struct Comment: Sendable, Hashable {
        /// Within the run.
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
            return JSONObject(answers.filter { !sensitiveIDs.contains($0.key) })
        }
        return JSONObject(
            answers.map { step, value in
                guard let fields = value.object else { return (step, value) }
                let open = fields.filter { field in
                    !sensitiveIDs.contains(JSONPointer(tokens: [step, field.key]).description)
                }
                return (step, .object(JSONObject(open)))
            })
    }

    /// Takes over where a flow has come to. A run that goes on is a draft; one that has ended is new, and submitted if
    /// it was completed.
    public mutating func enter(_ flow: FlowRun, of definition: FlowDefinition, at now: Timestamp) {
        self.flow = flow
        (answers, updatedAt, sensitiveIDs) = (flow.responses, now, definition.sensitivePointers)
        marks = definition.marking(self).marks
        attributes = definition.keep.values(of: flow.attributes)
        // From its end on it has the status that owners set.
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
        json["snapshot"] = snapshot.map { .object($0) }
        json["submitted_at"] = submittedAt.map { .integer($0.milliseconds) }
        json["deleted_at"] = deletedAt.map { .integer($0.milliseconds) }
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
        return json
    }

    /// Nil for JSON that no version of the daemon has written.
    public init?(_ json: JSONObject) {
        guard let id = json["id"]?.string, let slug = json["slug"]?.string,
            let kind = json["kind"]?.string.flatMap(ContentKind.init(rawValue:)),
            let revision = json["revision"]?.integer, let answers = json["answers"]?.object,
            let status = json["status"]?.string.flatMap(Status.init(rawValue:)), let created = json.time("created_at"),
            let updated = json.time("updated_at")
        else { return nil }
        let respondent: Respondent =
            json["user"]?.string.map { .user($0) } ?? json["client"]?.string.map { .client($0) } ?? .anonymous
        self.init(id: id, slug: slug, kind: kind, revision: Int(revision), respondent: respondent, at: created)
        (self.status, self.answers, updatedAt) = (status, answers, updated)
        // Earlier versions left it out where an anonymous run became a client's.
        clientID = json["client_id"]?.string ?? json["client"]?.string
        (mergedUserID, snapshot) = (json["merged_user"]?.string, json["snapshot"]?.object)
        flow = json["flow"]?.object.flatMap { FlowRun($0, responses: answers) }
        (submittedAt, deletedAt) = (json.time("submitted_at"), json.time("deleted_at"))
        (message, experiment) = (json["message"]?.string, json["experiment"]?.string)
        (branch, facts) = (json["branch"]?.string, json["facts"]?.object ?? [:])
        attributes = json["attributes"]?.object ?? [:]
        isDevelopment = json["is_dev"]?.bool ?? false
        origin = json["origin"]?.object.flatMap { RunOrigin($0) }
        sensitiveIDs = json["sensitive"]?.array?.compactMap(\.string) ?? []
        quotas = json["quotas"]?.array?.compactMap(\.string) ?? []
        comments = json["comments"]?.array?.compactMap { Comment($0) } ?? []
        commentCount = Int(json["comment_count"]?.integer ?? 0)
        (marks, stoppedAt) = (json["marks"]?.object, json["stopped_at"]?.string)
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
