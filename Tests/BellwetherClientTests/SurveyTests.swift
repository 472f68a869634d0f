import BellwetherBase
import BellwetherClient
import BellwetherJSON
import Foundation
import Surveys
import TestSupport
import Testing

@Suite(.serialized) struct SurveyTests {
    static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Feedback",
        "schema": [
            "version": 1,
            "questions": [
                ["id": "recommend", "type": "nps", "title": "Would you recommend us?", "required": true],
                [
                    "id": "use", "type": "single_choice", "title": "What for?", "required": true,
                    "options": [["id": "maps", "label": "Maps"], ["id": "diary", "label": "Diary"]],
                ],
                ["id": "more", "type": "text", "title": "Anything else?", "placeholder": "Optional"],
            ],
        ],
    ]

    static let survey: JSONValue = [
        "kind": "survey",
        "questions": [
            ["id": "smokes", "question": "Do you smoke?", "question_type": "single_select", "options": ["Yes", "No"]],
            [
                "id": "since", "question": "Since when?", "question_type": "single_text_field",
                "show_if": ["id": "smokes", "operation": "equals", "value": "Yes"],
            ],
        ],
    ]

    private struct Phone {
        let app: TestApp
        let folder: TemporaryDirectory
        let network: SwitchedTransport

        init() throws {
            (app, folder) = (try TestApp(), try TemporaryDirectory())
            try app.publish("q", SurveyTests.questionnaire)
            network = SwitchedTransport(try app.transport)
        }

        /// A start of the app.
        func start(bundle: [UInt8]? = nil) throws -> BellwetherClient {
            BellwetherClient(
                app.configuration { $0.builtInBundle = bundle }, transport: network,
                storage: try FileStorage(folder: URL(fileURLWithPath: folder.path)), clock: { TestClock().now })
        }

        func responses() throws -> [JSONValue] {
            try app.daemon.get("\(app.path)/questionnaires/q/responses").json["items"].array ?? []
        }
    }

    @Test func `A questionnaire has typed questions, and is submitted once`() async throws {
        let phone = try Phone()
        let client = try phone.start()
        var form = try #require(await client.questionnaire(slug: "q").form)
        #expect(form.definition.questions.questions.map(\.typeName) == ["nps", "single_choice", "text"])
        #expect(form.definition.questions["recommend"]?.type is NPSQuestion)
        #expect(form.strings["submitButton"]?.isEmpty == false)
        form.answers = ["recommend": .number(11)]
        let failure = await Self.failure(of: form, client)
        guard case .invalid(let faults) = failure else { throw Failure("\(String(describing: failure))") }
        #expect(faults.map(\.code) == [.range, .required])
        form.answers = ["recommend": .number(9), "use": .text("maps")]
        let receipt = try await client.submit(form)
        guard case .stored(let id?, "new"?) = receipt.state else { throw Failure("\(receipt)") }
        #expect(receipt.wasSubmitted)
        #expect(try phone.responses().map { $0["id"].string } == [id])
        guard case .closed("already_responded") = await client.questionnaire(slug: "q") else {
            throw Failure("it may be answered again")
        }
        #expect(await Self.failure(of: form, client) == .refused(code: "already_responded"))
    }

    /// The reason why a form is not taken.
    private static func failure(of form: SurveyForm, _ client: BellwetherClient) async -> SaveFailure? {
        do {
            _ = try await client.submit(form)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A draft goes on after a start, with and without network`() async throws {
        let phone = try Phone()
        var form = try #require(await phone.start().questionnaire(slug: "q").form)
        form.answers["recommend"] = .number(9)
        let first = try phone.start()
        await first.save(form)
        try await first.flushAll()
        let online = try #require(await phone.start().questionnaire(slug: "q").form)
        #expect(online.answers["recommend"] == .number(9))
        #expect(online.evaluation(at: TestClock().now).resumeAt == "use")
        phone.network.isOn = false
        form.answers["use"] = .text("diary")
        await first.save(form)
        let offline = try #require(await phone.start().questionnaire(slug: "q").form)
        #expect(offline.answers["use"] == .text("diary"))
        // The network is back, and the waiting draft is newer than the daemon's.
        phone.network.isOn = true
        let again = try #require(await phone.start().questionnaire(slug: "q").form)
        #expect(again.answers["use"] == .text("diary"))
        #expect(try phone.responses().map { $0["answers"] } == [["recommend": 9, "use": "diary"]])
    }

    @Test func `A cleared answer is cleared at the daemon, and one with a fault is not sent`() async throws {
        let phone = try Phone()
        let client = try phone.start()
        var form = try #require(await client.questionnaire(slug: "q").form)
        form.answers["use"] = .text("maps")
        form.answers["more"] = .text("x")
        await client.save(form)
        try await client.flushAll()
        form.answers["more"] = nil
        form.answers["recommend"] = .number(99)
        await client.save(form)
        try await client.flushAll()
        #expect(await client.status.refused == 0)
        #expect(try phone.responses().map { $0["answers"] } == [["use": "maps"]])
    }

    @Test func `Answers without network wait, and arrive once`() async throws {
        let phone = try Phone()
        let bundle = try phone.app.bundle()
        phone.network.isOn = false
        let client = try phone.start(bundle: bundle)
        var form = try #require(await client.questionnaire(slug: "q").form, "the bundle has it")
        #expect(form.strings["submitButton"]?.isEmpty == false)
        form.answers = ["recommend": .number(3), "use": .text("diary")]
        let receipt = try await client.submit(form)
        #expect(receipt.state == .waiting && !receipt.wasSubmitted)
        guard case .closed("already_responded") = await client.questionnaire(slug: "q") else {
            throw Failure("it may be answered again")
        }
        // Another start, a response that is lost, and another attempt.
        let next = try phone.start()
        phone.network.isOn = true
        phone.network.losesResponses = true
        await next.flush()
        #expect(await next.status.waiting == 1)
        phone.network.losesResponses = false
        try await next.flushAll()
        #expect(await next.status.refused == 0)
        #expect(try phone.responses().map { $0["status"] } == ["new"])
        let submitted = try phone.app.telemetry().filter { $0["name"] == "submitted" }
        #expect(submitted.count == 1)
    }

    @Test func `A form of the bundle is the form of the daemon`() async throws {
        let phone = try Phone()
        try phone.app.publish("s", Self.survey)
        let bundle = try phone.app.bundle()
        let client = try phone.start(bundle: bundle)
        let served = [
            try #require(await client.questionnaire(slug: "q").form), try #require(await client.survey(slug: "s").form),
        ]
        phone.network.isOn = false
        let other = BellwetherClient(
            phone.app.configuration { $0.builtInBundle = bundle }, transport: phone.network, storage: MemoryStorage(),
            clock: { TestClock().now })
        let bundled = [
            try #require(await other.questionnaire(slug: "q").form), try #require(await other.survey(slug: "s").form),
        ]
        for (one, two) in zip(served, bundled) {
            #expect(one.strings == two.strings && one.locale == two.locale && one.revision == two.revision)
            #expect(JSONValue.object(one.definition.schema) == .object(two.definition.schema))
        }
    }

    @Test func `A survey's conditions decide on the device`() async throws {
        let phone = try Phone()
        try phone.app.publish("s", Self.survey)
        let client = try phone.start()
        var form = try #require(await client.survey(slug: "s").form)
        let now = TestClock().now
        #expect(form.evaluation(at: now).shown.map(\.id) == ["smokes"])
        form.answers = ["smokes": .text("Yes"), "since": .text("1999")]
        #expect(form.evaluation(at: now).shown.map(\.id) == ["smokes", "since"])
        #expect(try await client.submit(form).wasSubmitted)
    }

    @Test func `Who wants no questionnaires gets none`() async throws {
        let phone = try Phone()
        let client = try phone.start(bundle: try phone.app.bundle())
        phone.network.isOn = false
        await client.dismissQuestionnaires()
        for isOn in [false, true] {
            phone.network.isOn = isOn
            guard case .closed("globally_dismissed") = await client.questionnaire(slug: "q") else {
                throw Failure("it is open")
            }
        }
    }

    @Test func `A forced form is a preview, and saves no drafts`() async throws {
        let phone = try Phone()
        let client = try phone.start()
        var form = try #require(await client.questionnaire(slug: "q", isForced: true).form)
        form.answers = ["recommend": .number(3), "use": .text("diary")]
        await client.save(form)
        #expect(await client.status.waiting == 0)
        #expect(try await client.submit(form).state.status == "preview")
        guard case .open = await client.questionnaire(slug: "q") else { throw Failure("a preview counts") }
    }

    @Test func `There is no such questionnaire`() async throws {
        guard case .unavailable = await (try Phone().start()).questionnaire(slug: "none") else {
            throw Failure("there is")
        }
    }
}

extension SaveReceipt.State {
    fileprivate var status: String? { if case .stored(_, let status) = self { status } else { nil } }
}
