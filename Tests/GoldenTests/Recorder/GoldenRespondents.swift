import BellwetherBase
import BellwetherJSON
import TestSupport

/// An app with a questionnaire, a survey and a flow, and a fixed list of requests to it. A recorded directory has runs
/// of every status, tallies, aliases, users, webhooks, files, a conversation and displays of a session.
///
/// `prepare` is sent to the daemon that makes the directory. `ask` is recorded over a copy of the directory: it reads
/// all of the data and continues with it. Ids of runs are random, so the requests name runs of the directory.
final class GoldenRespondents {
    private static let app = "/v1/apps/asked"
    private static let client = "client_id=draft"

    private var session: GoldenSession
    private var time: Timestamp
    /// The ids of runs in the directory, by the client that began them.
    private var runs: [String: String] = [:]

    init(_ session: GoldenSession, at time: Timestamp) { (self.session, self.time) = (session, time) }

    func prepare() throws {
        try publish()
        try save("draft", ["sex": "f"])
        try save("done", ["sex": "m", "score": 9], isFinal: true)
        try save("late", ["sex": "m"])
        try save("phone", ["why": "é 👍"])
        try send("POST", "identify", ["client_id": "phone", "user_id": "u1"])
        try send("POST", "identify", ["client_id": "tablet", "user_id": "u1"])
        let done = runs["done"] ?? ""
        try send("POST", "responses/\(done)/comments", ["body": "Ask again"])
        try send("POST", "questionnaires/dismiss", ["client_id": "tired"])
        try send(
            "POST", "surveys/habits/responses",
            ["client_id": "draft", "answers": ["music": "Yes"], "locale": "de", "app_version": "2.1"])
        try send("POST", "surveys/habits/submit", ["answers": ["music": "No"]])
        for client in ["walker", "stays", "guest"] {
            try send("POST", "flows/tour/runs", ["client_id": .string(client), "locale": "en-US"])
            keep(client, "run_id")
        }
        try advance("walker", "goal", ["selected": ["lose"]])
        try advance("guest", "goal", ["selected": ["lose"]])
        try advance("guest", "account", ["name": "Ida"])
        try advance("guest", "photo", ["face": .string(Self.photo)])
        try talk("guest", ["text": "Hello"])
        for session in ["s1", "s2"] {
            try report("draft", ["type": "message", "action": "displayed", "message": "note"], session)
        }
        try report("draft", ["type": "behavior", "name": "app_launch", "count": 3], nil)
        try send("POST", "messages", ["client_id": "other", "context": ["counters": ["launches": 7]]])
        try save("forced", ["sex": "f"], ["force": true])
    }

    /// Continues with another daemon.
    func move(to session: GoldenSession) {
        self.session = session
        time = time.adding(seconds: 3600)
    }

    func ask() throws {
        try readBack()
        try goOn()
        try erase()
    }

    private func readBack() throws {
        for client in ["draft", "done", "late", "phone", "tablet", "tired", "nobody"] {
            try send("GET", "questionnaires/poll?client_id=\(client)")
        }
        try send("GET", "questionnaires/poll?user_id=u1")
        try send("GET", "surveys/habits?client_id=draft")
        for list in ["questionnaires/poll", "surveys/habits"] { try send("GET", "\(list)/responses?limit=50") }
        let inFlows = ["walker", "stays", "guest"]
        for run in runs.keys.sorted() where !inFlows.contains(run) {
            try send("GET", "responses/\(runs[run] ?? "")")
        }
        for slug in ["poll", "habits", "tour"] { try send("GET", "results/\(slug)") }
        for run in inFlows { try send("GET", "runs/\(runs[run] ?? "")") }
        for client in ["draft", "phone", "walker", "guest"] { try send("GET", "clients/\(client)/export") }
        try send("GET", "users/u1/export")
        try send("GET", "files/\(Self.photoDigest)")
        try send("GET", "clients/draft/counters")
        try send("GET", "webhooks")
        for question in ["\(Self.client)&session_id=s2", "\(Self.client)&session_id=s3", Self.client, "client_id=new"] {
            try send("GET", "messages?\(question)")
        }
        try send("POST", "explain", ["client_id": "draft", "surface": "card", "context": [:]])
        try send("GET", "telemetry?limit=200")
    }

    /// The quota of men has one place, which is used.
    private func goOn() throws {
        time = time.adding(seconds: 60)
        try save("draft", ["sex": "m"])
        try save("late", ["why": "more"])
        try save("done", ["why": "again"])
        try save("phone", ["sex": "f", "score": 0], isFinal: true)
        try save("tablet", ["why": "the user has answered"])
        try send("POST", "surveys/habits/responses", ["client_id": "draft", "answers": ["kinds": ["Pop"]]])
        try send("GET", "surveys/habits?client_id=draft")
        try send("POST", "flows/tour/runs", ["client_id": "stays"])
        try advance("stays", "goal", ["selected": ["build"]])
        try advance("stays", "more", [:], "back")
        try advance("walker", "account", ["name": "Zoë"])
        try talk("guest", ["quick_reply_id": "yes"])
        try talk("guest", ["end": true])
        try advance("guest", "talk", [:])
        try send("POST", "runs/\(runs["stays"] ?? "")/dismiss", [:])
        for slug in ["poll", "tour"] { try send("GET", "results/\(slug)") }
    }

    private func erase() throws {
        try send("DELETE", "clients/guest")
        for path in ["runs/\(runs["guest"] ?? "")", "files/\(Self.photoDigest)"] { try send("GET", path) }
        try send("DELETE", "users/u1")
        for path in ["users/u1/export", "clients/tablet/export", "questionnaires/poll?client_id=tablet"] {
            try send("GET", path)
        }
        try send("DELETE", "responses/\(runs["done"] ?? "")")
        // The place of men is free again. The new run's id is random, so no list is requested from here on.
        for client in ["fresh", "second"] { try save(client, ["sex": "m"], isFinal: true) }
        try send("GET", "results/poll")
    }

    // MARK: Requests

    private func publish() throws {
        let manifest: JSONValue = [
            "app_name": "asked", "default_locale": "en-US", "attributes": ["age": "number"], "surfaces": ["card"],
            "pacing": ["caps": [["count": 1, "session": true], ["count": 3, "seconds": 86_400, "tags": ["note"]]]],
        ]
        try send("PUT", "manifest", manifest)
        try send("PUT", "recipes/poll", Self.poll)
        try send("PUT", "recipes/habits", Self.habits)
        try send("PUT", "recipes/tour", Self.tour)
        let note: JSONValue = ["surface": "card", "text": "A note", "pacing": ["tags": ["note"]]]
        try send("PUT", "recipes/notes", ["messages": ["note": note]])
    }

    private func save(
        _ client: String, _ answers: JSONObject, isFinal: Bool = false, _ more: JSONObject = [:]
    ) throws {
        var body = more
        body["client_id"] = .string(client)
        body["answers"] = .object(answers)
        if isFinal { body["is_complete"] = true }
        try send("POST", "questionnaires/poll/responses", .object(body))
        keep(client, "id")
    }

    /// Stores the id of a new run.
    private func keep(_ client: String, _ member: String) {
        guard runs[client] == nil, let answer = try? JSONValue(parsing: session.last.body) else { return }
        runs[client] = answer.object?[member]?.string
    }

    private func advance(
        _ client: String, _ step: String, _ response: JSONValue, _ action: String = "next"
    ) throws {
        let body: JSONValue = ["step_id": .string(step), "response": response, "action": .string(action)]
        try send("POST", "runs/\(runs[client] ?? "")/advance", body)
    }

    private func talk(_ client: String, _ said: JSONObject) throws {
        var body = said
        body["step_id"] = "talk"
        try send("POST", "runs/\(runs[client] ?? "")/chat", .object(body))
    }

    private func report(_ client: String, _ event: JSONObject, _ sessionID: String?) throws {
        var event = event
        event["session_id"] = sessionID.map { .string($0) }
        try send("POST", "events", ["client_id": .string(client), "events": [.object(event)]])
    }

    private func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws {
        time = time.adding(seconds: 1)
        try session.send(
            GoldenRequest(time: time, method: method, target: "\(Self.app)/\(path)", body: body?.text ?? ""))
    }
}

/// The documents.
extension GoldenRespondents {
    private static let poll: JSONValue = [
        "kind": "questionnaire", "name": "Poll", "description": "Two minutes.",
        "notify": ["url": "https://hooks.example/poll"],
        "schema": [
            "version": 1,
            "questions": [
                [
                    "id": "sex", "type": "single_choice", "title": "You are",
                    "options": [["id": "m", "label": "Male"], ["id": "f", "label": "Female"]],
                ],
                ["id": "score", "type": "nps", "title": "Would you tell?"],
                ["id": "why", "type": "text", "title": "Why?", "sensitive": true],
            ],
        ],
        "offer": [
            "surface": "card", "text": "A minute?",
            "pacing": [
                "response_limit": 5,
                "quotas": [["name": "men", "when": ["ref": "answer.sex", "op": "eq", "value": "m"], "limit": 1]],
            ],
        ],
    ]

    private static let habits: JSONValue = [
        "kind": "survey", "submit": ["button_title": "Send", "url": "https://hooks.example/habits"],
        "questions": [
            ["id": "music", "question": "Music?", "question_type": "single_select", "options": ["Yes", "No"]],
            [
                "id": "kinds", "question": "Which?", "question_type": "multi_select",
                "options": ["Pop", ["title": "Other", "type": "freeform"]],
                "show_if": ["id": "music", "operation": "equals", "value": "Yes"],
            ],
        ],
    ]

    private static let tour: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour", "version": 2,
        "steps": [
            [
                "id": "goal", "type": "question",
                "config": ["title": "Goal?", "options": [["id": "lose"], ["id": "build"]]],
                "next_step_rules": [
                    [
                        "target_step_id": "account",
                        "conditions": [["type": "answer_equals", "answer_key": "selected", "value": "lose"]],
                    ]
                ],
            ],
            ["id": "more", "type": "welcome", "config": ["title": "More", "skip_enabled": true]],
            [
                "id": "account", "type": "form",
                "config": ["title": "You", "fields": [["id": "name", "type": "text", "label": "Name"]]],
            ],
            ["id": "photo", "type": "form", "config": ["fields": [["id": "face", "type": "image_picker"]]]],
            [
                "id": "talk", "type": "interactive_chat",
                "config": [
                    "chat_config": [
                        "auto_messages": [["id": "hello", "content": "Hello!"]],
                        "quick_replies": [["id": "yes", "text": "Yes"]],
                        "webhook": ["enabled": false],
                    ]
                ],
            ],
        ],
    ]

    private static let photo = "data:image/png;base64,iVBORw0KGgo="
    private static let photoDigest = "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6"
}
