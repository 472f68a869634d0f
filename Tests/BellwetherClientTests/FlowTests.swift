import BellwetherBase
import BellwetherClient
import BellwetherJSON
import Foundation
import Surveys
import TestSupport
import Testing

@Suite(.serialized) struct FlowTests {
    private static let flow: JSONValue = [
        "kind": "flow", "id": "start", "version": 1,
        "steps": [
            [
                "id": "hello", "type": "welcome",
                "config": [
                    "title": "Hello {{user.plan}}", "content_blocks": [["type": "text", "id": "t", "text": "Welcome"]],
                ],
            ],
            [
                "id": "goal", "type": "question",
                "config": [
                    "title": "Goal?", "options": [["id": "run", "label": "Run"], ["id": "rest", "label": "Rest"]],
                ],
                "next_step_rules": [
                    [
                        "target_step_id": "name",
                        "conditions": [["type": "answer_equals", "answer_key": "selected", "value": "run"]],
                    ]
                ],
            ],
            [
                "id": "name", "type": "form",
                "config": ["fields": [["id": "name", "type": "text", "label": "Name", "required": true]]],
            ],
        ],
    ]

    private struct Phone {
        let app: TestApp
        let folder: TemporaryDirectory
        let network: SwitchedTransport

        init(flow: JSONValue = FlowTests.flow) throws {
            (app, folder) = (try TestApp(), try TemporaryDirectory())
            try app.publish("start", flow)
            network = SwitchedTransport(try app.transport)
        }

        func start() throws -> BellwetherClient {
            let bundle = try app.bundle()
            return BellwetherClient(
                app.configuration { $0.builtInBundle = bundle }, transport: network,
                storage: try FileStorage(folder: URL(fileURLWithPath: folder.path)), clock: { TestClock().now })
        }

        func runs() throws -> [JSONValue] {
            try app.daemon.get("\(app.path)/flows/start/runs").json["items"].array ?? []
        }

        /// The names of the records of flows.
        func records() throws -> [String] {
            try app.telemetry().filter { $0["category"] == "onboarding" }.compactMap { $0["name"].string }
        }
    }

    /// A walk through the flow, with a fault, a start of the app and a step back.
    private static func walk(_ phone: Phone, _ client: BellwetherClient) async throws -> [FlowPosition] {
        var positions = [try await client.flow(slug: "start")]
        positions.append(try await client.advance(positions[0]))
        let goal = positions[1]
        await #expect(throws: FlowFailure.self) { try await client.advance(goal, .next, ["selected": []]) }
        positions.append(try await client.advance(positions[1], .next, ["selected": ["run"]]))
        positions.append(try await client.advance(positions[2], .back))
        let again = try phone.start()
        #expect(try await again.flow(slug: "start") == positions[3])
        positions.append(try await again.advance(positions[3], .next, ["selected": ["run"]]))
        positions.append(try await again.advance(positions[4], .next, ["name": "Ada"]))
        return positions
    }

    @Test func `A flow without network is the flow of the daemon, and arrives step by step`() async throws {
        let (online, offline) = (try Phone(), try Phone())
        let first = try online.start()
        let walked = try await Self.walk(online, first)
        #expect(walked.map { $0.step?.id.text ?? "-" } == ["hello", "goal", "name", "goal", "name", "-"])
        #expect(walked.last?.outcome == FlowOutcome(.finished) && walked.last?.status == .completed)
        offline.network.isOn = false
        let second = try offline.start()
        let alone = try await Self.walk(offline, second)
        #expect(alone.map(\.step) == walked.map(\.step))
        #expect(alone.map(\.responses) == walked.map(\.responses))
        #expect(alone.map(\.outcome) == walked.map(\.outcome))
        #expect(try offline.runs().isEmpty)
        offline.network.isOn = true
        let later = try offline.start()
        offline.network.losesResponses = true
        await later.flush()
        offline.network.losesResponses = false
        try await later.flushAll()
        #expect(await later.status.refused == 0)
        for phone in [online, offline] {
            #expect(
                try phone.runs().map { $0["answers"] } == [["goal": ["selected": ["run"]], "name": ["name": "Ada"]]])
        }
        #expect(try offline.records() == online.records())
        #expect(try offline.records().last == "onboarding_flow_completed")
    }

    @Test func `A step has its texts, blocks and fields`() async throws {
        let phone = try Phone()
        let client = try phone.start()
        await client.setAttributes(["plan": "pro"])
        let start = try await client.flow(slug: "start")
        let hello = try #require(start.step)
        #expect(hello.kind == .welcome && hello.title == "Hello pro")
        #expect(hello.blocks.map(\.type) == ["text"] && hello.blocks.first?.text == "Welcome")
        let goal = try await client.advance(start)
        #expect(goal.step?.options.map(\.label) == ["Run", "Rest"] && goal.step?.allowsSeveral == false)
        let form = try await client.advance(goal, .next, ["selected": ["run"]])
        #expect(form.step?.fields.map(\.type) == ["text"] && form.stepIndex == 2 && form.totalSteps == 3)
        let failure = await #expect(throws: FlowFailure.self) { try await client.advance(form, .next, [:]) }
        guard case .refused(let faults) = failure else { throw Failure("\(String(describing: failure))") }
        #expect(faults.map(\.code) == ["required"] && faults[0].pointer.description == "/response/name")
    }

    @Test func `A password is never in the queue`() async throws {
        let phone = try Phone(flow: [
            "kind": "flow", "id": "start", "version": 1,
            "steps": [
                [
                    "id": "secret", "type": "form",
                    "config": ["fields": [["id": "word", "type": "password", "label": "Word", "required": true]]],
                ]
            ],
        ])
        let client = try phone.start()
        let position = try await client.flow(slug: "start")
        phone.network.isOn = false
        await #expect(throws: FlowFailure.offline) {
            try await client.advance(position, .next, ["word": "correct horse"])
        }
        #expect(await client.status.waiting == 0)
        phone.network.isOn = true
        #expect(try await client.advance(position, .next, ["word": "correct horse"]).status == .completed)
        for name in try FileManager.default.contentsOfDirectory(atPath: phone.folder.path) {
            let content = try String(contentsOfFile: "\(phone.folder.path)/\(name)", encoding: .isoLatin1)
            #expect(!content.contains("correct horse"), "\(name)")
        }
    }

    @Test func `A flow that is ended begins anew, and a paused one does not begin`() async throws {
        let phone = try Phone()
        let client = try phone.start()
        try await client.dismiss(try await client.flow(slug: "start"))
        try await client.flushAll()
        #expect(try phone.records().last == "onboarding_flow_dismissed")
        let state = try phone.app.daemon.post("\(phone.app.path)/recipes/start/state", ["state": "paused"])
        #expect(state.status == 200)
        await #expect(throws: FlowFailure.self) { try await client.flow(slug: "start") }
        await #expect(throws: FlowFailure.closed(reason: "not_found")) { try await client.flow(slug: "none") }
    }
}
