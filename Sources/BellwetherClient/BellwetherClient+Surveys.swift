internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Questionnaires and surveys.
extension BellwetherClient {
    /// Requests a questionnaire, with the draft to continue. It waits for the network; without one it is the daemon's
    /// last answer, or that of the bundle.
    ///
    /// - Parameter isForced: Whether the questionnaire is shown although it was answered or dismissed, for a preview.
    public func questionnaire(slug: String, isForced: Bool = false) async -> SurveyAvailability {
        await load(slug, .questionnaire, isForced: isForced)
    }

    /// Requests a survey, as `questionnaire(slug:isForced:)` does. Predicates of a survey's conditions are the daemon's
    /// to judge; on the device they do not hold.
    public func survey(slug: String, isForced: Bool = false) async -> SurveyAvailability {
        await load(slug, .survey, isForced: isForced)
    }

    private func load(_ slug: String, _ kind: ContentKind, isForced: Bool) async -> SurveyAvailability {
        guard isAllowed else { return .unavailable }
        let files = SurveyFiles(slug, kind)
        await flush()
        // A draft that waits is newer than the daemon's.
        let isWaiting = queue.waiting(in: &storage).contains { $0.group == files.group + clientID }
        let saved = (try? storage.read(files.draft)).flatMap { try? JSONValue(parsing: $0).object }
        if let response = try? await transport.send(request(slug, kind, isForced: isForced)),
            response.isFinal, isAllowed
        {
            guard response.isSuccess, let body = try? JSONValue(parsing: response.body, limits: .queue) else {
                return .unavailable
            }
            guard body["eligible"] == true else { return .closed(reason: body["reason"].string ?? "inactive") }
            if !isForced { try? storage.replace(files.served, with: response.body, isDurable: false) }
            return availability(body, kind, saved: isWaiting ? saved : nil, isForced: isForced)
        }
        if !isForced, let reason = closure(of: slug, kind) { return .closed(reason: reason) }
        let served = (try? storage.read(files.served)).flatMap { try? JSONValue(parsing: $0, limits: .queue) }
        guard let body = served ?? bundled(slug, kind) else { return .unavailable }
        return availability(body, kind, saved: saved, isForced: isForced)
    }

    private func availability(
        _ body: JSONValue, _ kind: ContentKind, saved: JSONObject?, isForced: Bool
    ) -> SurveyAvailability {
        SurveyForm(body, kind, saved: saved, isForced: isForced).map { .open($0) } ?? .unavailable
    }

    private func request(_ slug: String, _ kind: ContentKind, isForced: Bool) -> TransportRequest {
        var request = TransportRequest("GET", "\(kind.collection)/\(TransportRequest.encoded(slug))")
        request.query = [.init(name: "client_id", value: clientID)]
        if isForced { request.query.append(.init(name: "force", value: "true")) }
        for (name, value) in context where value != .null {
            request.query.append(.init(name: name, value: value.string ?? value.text))
        }
        return request
    }

    /// The reason why the person may not answer, as far as the device knows.
    private func closure(of slug: String, _ kind: ContentKind) -> String? {
        if device.state.surveys.dismissedAt != nil, kind.isDismissible { return "globally_dismissed" }
        let (slug, now) = (Identifier(slug), now())
        let rule = device.recipe(slug, kind)?.repeats
        if case .open = device.state.surveys.state(of: slug, rule, hasReached: { $0 <= now }) { return nil }
        return "already_responded"
    }

    /// A recipe of the bundle, as the daemon would serve it.
    private func bundled(_ slug: String, _ kind: ContentKind) -> JSONValue? {
        guard let app = device.compiledApp, let recipe = device.recipe(Identifier(slug), kind),
            let definition = SurveyDefinition(JSONReader(recipe.document, findings: Findings()), kind),
            definition.isActive
        else { return nil }
        let texts = SurveyTexts(
            configuration.locale.flatMap { LanguageTag($0) }, in: app.strings, shortName: app.manifest.shortName,
            of: definition)
        let served = texts.served(definition, slug: recipe.slug, revision: recipe.revision, at: now())
        return .object(["eligible": true, "in_progress": .null, kind.rawValue: .object(served)])
    }

    /// Keeps the answers so far, on this device and at the daemon: call it at each step. Answers with faults stay on
    /// the device. It does not wait for the network.
    public func save(_ form: SurveyForm) {
        guard isAllowed, !form.isForced else { return }
        let files = SurveyFiles(form.slug, form.kind)
        try? storage.replace(files.draft, with: JSONValue.object(form.answers.json).encoded, isDurable: true)
        enqueue(save(form, form.validAnswers(at: now()), isComplete: false))
    }

    /// Submits the answers. They are on disk when the network is used, and are sent until the daemon has them. It waits
    /// for the network; without one the receipt says that they wait.
    public func submit(_ form: SurveyForm) async throws(SaveFailure) -> SaveReceipt {
        guard isAllowed else { throw .notAllowed }
        let evaluation = form.evaluation(at: now())
        let faults = evaluation.faults + evaluation.missing
        guard faults.isEmpty else { throw .invalid(faults) }
        let entry = save(form, form.answers.json, isComplete: true)
        let files = SurveyFiles(form.slug, form.kind)
        let response = await deliver(entry)
        guard let response else {
            let isWaiting = isWaiting(entry)
            if !form.isForced { submitted(form, files) }
            return SaveReceipt(
                id: entry.id, state: isWaiting ? .waiting : .stored(responseID: nil, status: nil),
                wasSubmitted: false)
        }
        let json = (try? JSONValue(parsing: response.body)) ?? .null
        guard response.isSuccess else {
            let faults = json.answerFaults
            if response.status == 422, !faults.isEmpty { throw .invalid(faults) }
            throw .refused(code: json.problemCode ?? "\(response.status)")
        }
        if !form.isForced { submitted(form, files) }
        return SaveReceipt(
            id: entry.id, state: .stored(responseID: json["id"].string, status: json["status"].string),
            wasSubmitted: json["was_submitted"].bool ?? false)
    }

    private func submitted(_ form: SurveyForm, _ files: SurveyFiles) {
        let slug = Identifier(form.slug)
        device.state.surveys.submit(slug, at: now(), repeats: device.recipe(slug, form.kind)?.repeats != nil)
        saveState()
        for name in [files.draft, files.served] { try? storage.remove(name) }
    }

    private func save(_ form: SurveyForm, _ answers: JSONObject, isComplete: Bool) -> QueueEntry {
        var body: JSONObject = [
            "client_id": .string(clientID), "answers": .object(answers), "is_complete": .bool(isComplete),
            "sdk_name": "bellwether-swift",
        ]
        if !settings.attributes.isEmpty { body["attributes"] = .object(settings.attributes) }
        body["locale"] = configuration.locale.map { .string($0) }
        body["message"] = form.message.map { .string($0) }
        body["round"] = form.round.map { .integer(Int64($0)) }
        if form.isForced { body["force"] = true }
        var entry = post("\(form.kind.collection)/\(TransportRequest.encoded(form.slug))/responses", body)
        if !form.isForced { entry.group = SurveyFiles(form.slug, form.kind).group + clientID }
        return entry
    }

    /// Ends all questionnaires and surveys for the person. It does not wait for the network.
    public func dismissQuestionnaires() {
        guard isAllowed else { return }
        enqueue(post("questionnaires/dismiss", ["client_id": .string(clientID)]))
        device.state.surveys.dismissedAt = now()
        saveState()
    }
}

/// The names of the files of one questionnaire or survey.
private struct SurveyFiles {
    /// The newest response of its route.
    let served: String
    /// The answers of the draft.
    let draft: String
    /// The beginning of the group of its saves in the queue.
    let group: String

    init(_ slug: String, _ kind: ContentKind) {
        let name = "\(kind.rawValue)-\(TransportRequest.encoded(slug))"
        (served, draft, group) = ("\(name).json", "\(name).draft", "\(name) ")
    }
}

extension JSONValue {
    /// The faults of answers in a problem document.
    fileprivate var answerFaults: [AnswerFault] {
        (self["errors"].array ?? []).compactMap { error in
            guard let code = error["code"].string.flatMap(AnswerFault.Code.init),
                let question = error["question_id"].identifier
            else { return nil }
            return AnswerFault(code, question, error["message"].string ?? "")
        }
    }
}
