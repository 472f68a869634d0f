internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The only place that maps an error to a status (docs/reference/http-api.md#errors).
extension Problem {
    init(_ error: APIError) {
        switch error {
        case .badRequest(let findings): self.init(400, Self.summary(findings), errors: findings)
        case .notJSON(let error):
            let finding = Finding(pointer: .root, code: "json_\(error.kind.rawValue)", message: error.message)
            self.init(400, "The body is not JSON: \(error.message).", errors: [finding])
        case .lengthRequired: self.init(411, "This route reads a body; send its Content-Length, or chunks.")
        case .unsupportedMediaType(let detail): self.init(415, detail)
        case .unsupportedCoding:
            self.init(415, "Bodies are read plain, or compressed with gzip.")
            // RFC 7694 3.
            add("Accept-Encoding", "gzip")
        case .tooLarge(let detail): self.init(413, detail)
        case .unauthorized(let detail):
            self.init(401, detail)
            add("WWW-Authenticate", "Bearer")
        case .forbidden(let detail): self.init(403, detail)
        case .refused(let code, let detail):
            self.init(403, detail, errors: [Finding(pointer: .root, code: code, message: detail)])
        case .notFound(let detail): self.init(404, detail)
        case .otherKind(let detail, let kind):
            self.init(404, detail)
            extensions["kind"] = .string(kind.rawValue)
        case .methodNotAllowed(let allowed):
            self.init(405, "This path answers \(allowed.joined(separator: ", ")).")
            add("Allow", allowed.joined(separator: ", "))
        case .conflict(let code, let detail, let members):
            let finding = Finding(pointer: .root, code: code, message: detail)
            self.init(
                409, detail, type: "urn:bellwether:\(code)", title: Self.conflictTitles[code], errors: [finding])
            extensions = members
        case .gone(let code, let detail):
            self.init(410, detail, errors: [Finding(pointer: .root, code: code, message: detail)])
        case .preconditionFailed(let detail, let current):
            self.init(412, detail)
            if current != .null { extensions["current"] = current }
        case .tooManyRequests(let detail, let seconds):
            self.init(429, detail, errors: [Finding(pointer: .root, code: "rate_limited", message: detail)])
            add("Retry-After", String(seconds))
        case .invalid(let findings): self.init(422, Self.summary(findings), errors: findings)
        case .badLines(let faults, let count):
            self.init(422, "\(count) lines are no ids, and nothing was changed.", errors: faults)
            extensions["bad_lines"] = .integer(Int64(count))
        case .refusedDocument(let faults, let warnings):
            self.init(422, Self.summary(faults), errors: faults)
            extensions["warnings"] = .array(warnings.map(\.json))
        case .invalidAnswers(let faults):
            let findings = faults.map { Finding(pointer: $0.pointer, code: $0.code.rawValue, message: $0.message) }
            self.init(422, Self.summary(findings), errors: findings)
            details = faults.map { fault in
                var details: JSONObject = ["question_id": .string(fault.questionID)]
                if !fault.bounds.isEmpty { details["bounds"] = .object(fault.bounds) }
                return details
            }
        case .refusedAction(let faults, let isConflict, let run): self.init(faults, isConflict: isConflict, run)
        case .store(let error): self.init(error)
        case .tooManyChecks:
            self.init(503, "Too many documents are being checked; try again shortly.")
            add("Retry-After", "1")
        case .clientGone: self.init(408, "The client finished sending before its request was handled.")
        case .unavailable(let detail, let seconds):
            self.init(503, detail)
            add("Retry-After", String(seconds))
        case .behind:
            self.init(503, "This node does not know what others have changed; another one may, or try again shortly.")
            add("Retry-After", "1")
        case .flag(_, let error): self.init(error)
        }
    }

    /// Each of these codes is a problem type with its own title (RFC 9457 3.1.3).
    private static let conflictTitles = [
        "already_responded": "Already answered", "read_only": "Read-only", "no_transition": "No such transition",
        "in_use": "In use", "idempotency_key_conflict": "Idempotency key used before", "name_taken": "Name taken",
        "too_many_tokens": "Too many tokens", "wrong_step": "Another step", "run_ended": "Run ended",
        "run_open": "Run open", "wrong_round": "Another round", "not_allowed": "Not allowed here",
    ]

    private init(_ faults: [FlowFault], isConflict: Bool, _ run: JSONValue) {
        let findings = faults.map { Finding(pointer: $0.pointer, code: $0.code, message: $0.message) }
        if !isConflict {
            self.init(422, Self.summary(findings), errors: findings)
            details = faults.map(\.details)
        } else {
            let code = findings.first?.code ?? ""
            self.init(
                409, Self.summary(findings), type: "urn:bellwether:\(code)", title: Self.conflictTitles[code],
                errors: findings)
            extensions["run"] = run
        }
    }

    private init(_ error: StoreError) {
        switch error {
        case .overloaded: self.init(503, "Too many writes are waiting; try again shortly.")
        case .unavailable, .unusable, .rejected, .stale:
            self.init(503, "The store cannot take writes at the moment; try again shortly.")
        }
        add("Retry-After", "1")
    }

    private static func summary(_ findings: [Finding]) -> String {
        guard let first = findings.first else { return "The request cannot be understood." }
        guard findings.count > 1 else { return "A fault was found: \(first.message)." }
        return "\(findings.count) faults were found; the first: \(first.message)."
    }
}

extension APIError {
    init(_ refusal: PublishRefusal) {
        self =
            switch refusal {
            case .malformed(let error): .notJSON(error)
            case .envelope(let faults): .badRequest(faults)
            case .faults(let faults, let warnings): .refusedDocument(faults, warnings: warnings)
            case .unknownApp: .notFound("There is no such app: its manifest must be live first.")
            case .notFound: .notFound("There is no such document.")
            case .readOnly: .conflict(code: "read_only", "It comes from a file, and changes there.")
            case .publishedOverAPI: .conflict(code: "published_over_api", "It was published over the API.")
            case .preconditionFailed(let current):
                .preconditionFailed(
                    current.map { "The document is at revision \($0.document.revision), \($0.state.rawValue)." }
                        ?? "There is no such document yet.", current: current?.newestJSON ?? .null)
            case .noTransition(let state, let next):
                .conflict(
                    code: "no_transition", "A recipe that is \(state.rawValue) cannot become \(next.rawValue).")
            case .noStage: .conflict(code: "no_stage", "The recipe is not live, or has no further stage.")
            case .inUse(let users):
                .conflict(
                    code: "in_use",
                    "It is read by \(users.map { $0.map { "\"\($0)\"" } ?? "the manifest" }.joined(separator: ", ")).",
                    members: ["used_by": .array(users.map { $0.map(JSONValue.string) ?? .null })])
            case .otherSubject(let subject):
                .conflict(code: "conflict", "The list is of \(subject.rawValue), and stays so.")
            case .ownRevision:
                .refused(
                    code: "own_revision", "Who wrote a revision cannot put it live: a second person approves it.")
            case .notAReview:
                .refused(
                    code: "not_a_review", "A reviewer puts the draft of somebody else live, or discards it.")
            case .tooLarge(let bound):
                .tooLarge("The documents of all apps would have more than \(bound) bytes (limits.catalog_bytes).")
            case .keyConflict: .idempotencyKeyConflict
            case .store(let error): .store(error)
            }
    }

    static let idempotencyKeyConflict = APIError.conflict(
        code: "idempotency_key_conflict", "The idempotency key was used before with another body.")
}

extension Response {
    /// The store returned an unexpected result, which is a bug.
    static let unexpected = Response.problem(Problem(500, "The request could not be finished."))
}

extension DocumentVersion {
    /// The newest revision, for the author of a conflicting one.
    fileprivate var newestJSON: JSONValue {
        [
            "revision": .integer(Int64(document.revision)),
            "author": document.author.isEmpty ? .null : .string(document.author),
            "at": .string(document.publishedAt.rfc3339),
        ]
    }
}

extension Result where Failure == StoreError {
    /// Returns the store's value, or throws its failure as the response to the request.
    func orThrow() throws(APIError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw .store(error)
        }
    }
}
