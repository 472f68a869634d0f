internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// The copy of the data that is stored about a person (docs/reference/http-api.md#erasure): every part of the stored
/// state, every column of an answer, and every member of a stored run.
extension KeptData {
    /// - Parameter app: nil for an app that is gone. Rounds and the times of askings are told of recipes that repeat.
    func json(at now: Timestamp, in app: AppSnapshot?) -> JSONObject {
        let repeating = Set((app?.recipes ?? [:]).filter { $0.value.recipe.repeats != nil }.keys)
        let asking = Set(
            (app?.catalog.messages ?? []).filter { $0.facts.presents.map(repeating.contains) ?? false }.map(\.key))
        var json: JSONObject = ["app": .string(person.app), "exported_at": .string(now.rfc3339)]
        switch person {
        case .client(let client):
            json["client_id"] = .string(client.id)
            json["user_id"] = state.userID.map { .string($0) } ?? .null
            json["users"] = .array(aliases.map { .string($0) })
            for part in state.clientParts { json[part.key] = part.value }
            if !state.goals.isEmpty {
                json["goals"] = .array(state.goals.entries.map { $0.exported(app?.goals ?? .none) })
            }
        case .user(let user):
            json["user_id"] = .string(user.id)
            json["clients"] = .array(aliases.map { .string($0) })
        }
        for part in state.respondentParts(repeating: repeating, asking: asking) { json[part.key] = part.value }
        if !state.facts.isEmpty { json["facts"] = .object(state.facts.exported(from: runs)) }
        if !lists.isEmpty { json["lists"] = .array(lists.map { .string($0) }) }
        json["answers"] = .array(answers.map(\.exported))
        json["responses"] = .array(runs.map { $0.exported(repeats: repeating.contains($0.slug)) })
        if !files.isEmpty { json["files"] = .array(files.map { Self.exported($0, $1) }) }
        return json
    }

    private static func exported(_ reference: FileReference, _ content: [UInt8]?) -> JSONValue {
        var file = reference.json.object ?? [:]
        file["content"] = content.map { .string(Base64.encode($0[...])) } ?? .null
        return .object(file)
    }
}

extension ClientState {
    /// The data that always belongs to the client, even if the client has a user.
    fileprivate var clientParts: JSONObject {
        let enrollments = enrollments.unpacked
        let derived = behavior.derivedCounters.map { Self.exported($0.name.text, $0.counter.kept) }
        var parts: JSONObject = [
            "event_names": .array(behavior.names.map { .string($0) }),
            "events": .array(behavior.names.map { name in Self.exported(name.text, behavior[name]?.kept ?? []) }),
            "launches": .integer(Int64(clamping: counters.launches)),
            "foregrounds": .integer(Int64(clamping: counters.foregrounds)),
            "first_launch_at": counters.firstLaunchAt.map { .string($0.rfc3339) } ?? .null,
            "session": session.isEmpty
                ? .null
                : ["id": .string(session.id), "shows": .array(session.tags.map { ["tags": .texts($0.map(\.text))] })],
            "participation": enrollments.participation.json,
            "enrollments": .array(enrollments.enrollments.map(\.exported)),
            "exposures": .array(exposures.entries.map(\.exported)),
            "reported_revision": .integer(Int64(clamping: reportedRevision)),
        ]
        if !derived.isEmpty { parts["derived_events"] = .array(derived) }
        return parts
    }

    /// The data that belongs to a user after a client was identified.
    ///
    /// - Parameters:
    ///   - repeating: the slugs of recipes that repeat.
    ///   - asking: the keys of the messages that present them.
    fileprivate func respondentParts(repeating: Set<Identifier>, asking: Set<Identifier>) -> JSONObject {
        [
            "messages": .array(ledger.entries.map { $0.exported(hasTimes: asking.contains($0.message)) }),
            "shows": .array(
                shows.shows.map {
                    [
                        "message": .string($0.message), "at": .string($0.time.rfc3339),
                        "tags": .texts($0.tags.map(\.text)),
                    ]
                }),
            "surveys_dismissed_at": surveys.dismissedAt.map { .string($0.rfc3339) } ?? .null,
            "submissions": .array(
                surveys.submissions.map { submission in
                    var json: JSONObject = [
                        "slug": .string(submission.slug), "at": .string(submission.at.rfc3339),
                    ]
                    if submission.rounds > 1 || repeating.contains(submission.slug) {
                        json["rounds"] = .integer(Int64(submission.rounds))
                    }
                    return .object(json)
                }),
            "remembered": .object(memory.json),
        ]
    }

    private static func exported(_ name: String, _ counts: [(minute: Timestamp, count: UInt64)]) -> JSONValue {
        [
            "name": .string(name),
            "counts": .array(
                counts.map { ["at": .string($0.minute.rfc3339), "count": .integer(Int64(clamping: $0.count))] }),
        ]
    }
}

extension JSONValue {
    fileprivate static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension GoalEntry {
    /// The values of each goal by its name, or by its position if the recipe is gone. y of a property is in
    /// thousandths.
    fileprivate func exported(_ table: GoalTable) -> JSONValue {
        let goals = table[slug]?.periods.first { $0.number == period }?.goals ?? []
        var shown: JSONObject = [:]
        for (index, value) in values.enumerated() {
            let name = goals.indices.contains(index) ? goals[index].name.text : "\(index + 1)"
            shown[name] = ["x": .integer(value.x), "y": .integer(value.y)]
        }
        return [
            "slug": .string(slug), "period": .integer(Int64(period)), "branch": .string(branch),
            "exposed_at": exposedAt.map { .string($0.rfc3339) } ?? .null, "goals": .object(shown),
        ]
    }
}

extension RespondentFacts {
    /// `{NAME: {value, at, slug}}`. The slug is that of the response, which is among the runs.
    fileprivate func exported(from runs: [Run]) -> JSONObject {
        let slugs = Dictionary(runs.map { (SourceDigest($0.id), $0.slug) }) { first, _ in first }
        return JSONObject(
            facts.map { fact in
                var json: JSONObject = ["value": fact.value, "at": .string(fact.at.rfc3339)]
                json["slug"] = slugs[fact.response].map { .string($0) } ?? .null
                return (fact.name.text, .object(json))
            })
    }
}

extension Enrollment {
    fileprivate var exported: JSONValue {
        var json: JSONObject = [
            "slug": .string(slug), "branch": status.branch.map { .string($0) } ?? .null,
            "status": .string(status.name), "reason": status.reason.map { .string($0) } ?? .null,
        ]
        switch status {
        case .wasEnrolled(_, let time): json["ended_at"] = .string(time.rfc3339)
        case .notEnrolled(.featureConflict(let other)): json["conflict"] = .string(other)
        default: break
        }
        return .object(json)
    }
}

extension FeatureExposure {
    fileprivate var exported: JSONValue {
        ["experiment": .string(branch.slug), "branch": .string(branch.branch), "feature_id": .string(featureID)]
    }
}

extension LedgerEntry {
    fileprivate func exported(hasTimes: Bool) -> JSONValue {
        var json: JSONObject = [
            "message": .string(message), "display_count": .integer(Int64(displayCount)),
            "dismissals": .integer(Int64(dismissals)), "clicked": .bool(isClicked), "expired": .bool(isExpired),
            "answered": .bool(isAnswered),
        ]
        if hasTimes {
            json["last_displayed_at"] = displayedAt.map { .string($0.rfc3339) }
            json["dismissed_at"] = dismissedAt.map { .string($0.rfc3339) }
        }
        return .object(json)
    }
}

extension SurveyResponse {
    fileprivate var exported: JSONValue {
        [
            "id": .string(id), "client_id": .string(clientID), "message": .string(message),
            "request_id": requestID.map { .string($0) } ?? .null, "option": .string(optionStringID),
            "option_index": .integer(Int64(optionIndex)), "text": .string(text), "locale": .string(locale),
            "revision": .integer(Int64(revision)), "submitted_at": .string(submittedAt.rfc3339),
            "experiment": enrollment.map { .string($0.slug) } ?? .null,
            "branch": enrollment.map { .string($0.branch) } ?? .null,
        ]
    }
}

extension Run {
    /// The run in the form for owners, with all its other stored members. A flow's run also has all its inputs and
    /// results.
    fileprivate func exported(repeats: Bool) -> JSONValue {
        var json = item(isAlone: true, repeats: repeats)
        json["kind"] = .string(kind.rawValue)
        json["quotas"] = .array(quotas.map { .string($0) })
        json["flow"] = flow.map { .object($0.json) }
        return .object(json)
    }
}
