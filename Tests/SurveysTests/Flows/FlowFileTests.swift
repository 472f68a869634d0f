import BellwetherBase
import BellwetherJSON
import Surveys
import TestSupport
import Testing

/// Files are removed from a response, and the run refers to them (docs/reference/flows.md#files).
@Suite struct FlowFileTests {
    private static let now = FlowRuleTests.now
    private static let image = "data:image/png;base64,AAAA"
    private static let other = "data:image/jpeg;base64,AAAB"
    private static let reference = FlowFile(type: "image/png", content: [0, 0, 0]).reference

    private let flow: FlowDefinition

    init() throws {
        let fields: JSONValue = [
            ["id": "photo", "type": "image_picker", "required": true, "config": ["allowed_types": ["png", "jpeg"]]],
            ["id": "sign", "type": "signature"],
        ]
        let jpeg: JSONValue = [["id": "photo", "type": "image_picker", "config": ["allowed_types": ["jpeg"]]]]
        let document: JSONValue = [
            "steps": [
                ["id": "a", "type": "form", "config": ["fields": fields]],
                ["id": "b", "type": "form", "config": ["fields": jpeg]],
            ]
        ]
        flow = try #require(FlowDefinition(JSONReader(document, findings: Findings())))
    }

    private func run() -> FlowRun { flow.start(FlowStart(), at: Self.now).run }

    private func next(_ run: FlowRun, at step: Identifier, _ response: JSONObject) throws -> FlowMove {
        guard case .moved(let move) = try flow.advance(run, FlowAction(.next, at: step, response), at: Self.now) else {
            throw Failure("a hook was asked")
        }
        return move
    }

    private func codes(_ run: FlowRun, at step: Identifier, _ response: JSONObject) -> [String] {
        do throws(FlowRefusal) {
            _ = try flow.advance(run, FlowAction(.next, at: step, response), at: Self.now)
            return []
        } catch {
            return error.faults().map(\.code)
        }
    }

    private func back(_ run: FlowRun, from step: Identifier) throws -> FlowRun {
        guard case .moved(let move) = try flow.advance(run, FlowAction(.back, at: step), at: Self.now) else {
            throw Failure("not moved")
        }
        return move.run
    }

    @Test func aFileBecomesAReference() throws {
        let move = try next(run(), at: "a", ["photo": .string(Self.image), "sign": "signature:3"])
        #expect(move.run.responses == ["a": ["photo": Self.reference.json, "sign": "signature:3"]])
        #expect(move.run.files == [Self.reference])
        #expect(move.files == [FlowFile(type: "image/png", content: [0, 0, 0])])
        #expect(Self.reference.sha256 == "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c")
        let completed = try #require(move.events.first { $0.name == "onboarding_step_completed" })
        #expect(completed.extra["selection_data"]?.object?["photo"] == Self.reference.json)
        let saved = try #require(FlowRun(move.run.json, responses: move.run.responses))
        #expect(saved == move.run)
    }

    @Test func aReferenceOfTheRunIsTheSameAnswer() throws {
        let first = try next(run(), at: "a", ["photo": .string(Self.image)]).run
        let again = try next(back(first, from: "b"), at: "a", ["photo": Self.reference.json])
        #expect(again.run.responses == first.responses && again.run.files == [Self.reference])
        #expect(again.files.isEmpty)
        #expect(codes(run(), at: "a", ["photo": Self.reference.json]) == ["pattern"], "another run's")
        #expect(codes(first, at: "b", ["photo": Self.reference.json]) == ["not_option"], "no PNG there")
        var changed = Self.reference.json.object ?? [:]
        changed["type"] = "image/jpeg"
        #expect(codes(first, at: "b", ["photo": .object(changed)]) == ["pattern"])
        changed["more"] = 1
        #expect(codes(first, at: "b", ["photo": .object(changed)]) == ["type"])
    }

    @Test func aFileThatIsReplacedIsNoLongerTheRuns() throws {
        let first = try next(run(), at: "a", ["photo": .string(Self.image), "sign": .string(Self.image)]).run
        #expect(first.files == [Self.reference])
        let second = try next(
            back(first, from: "b"), at: "a", ["photo": .string(Self.other), "sign": Self.reference.json])
        #expect(second.run.files.map(\.type) == ["image/png", "image/jpeg"])
        #expect(second.files.map(\.content) == [[0, 0, 1]])
        let third = try next(back(second.run, from: "b"), at: "a", ["photo": .string(Self.other)])
        #expect(third.run.files.map(\.type) == ["image/jpeg"])
    }

    @Test func runsOfBeforeGiveUpTheirFiles() throws {
        let answers: JSONObject = ["a": ["photo": .string(Self.image), "sign": "signature:1"]]
        let before = try next(run(), at: "a", ["photo": .string(Self.other)]).run
        var json = before.json
        json["files"] = nil
        var old = try #require(FlowRun(json, responses: answers))
        #expect(flow.view(old)["responses"] == .object(answers))
        let files = flow.takeFiles(outOf: &old)
        #expect(files.map(\.reference) == [Self.reference] && old.files == [Self.reference])
        #expect(old.responses == ["a": ["photo": Self.reference.json, "sign": "signature:1"]])
        #expect(flow.takeFiles(outOf: &old).isEmpty)
    }

    @Test func whatIsNoMediaTypeIsNoFile() {
        for type in ["image", "image/", "image/a b", "image/p\r\nX: y", "image/png/x"] {
            #expect(codes(run(), at: "a", ["photo": .string("data:\(type);base64,AAAA")]) == ["pattern"], "\(type)")
        }
        #expect(codes(run(), at: "a", ["photo": .string("data:image/png;charset=x;base64,AAAA")]) == [])
        #expect(codes(run(), at: "a", ["photo": 5]) == ["type"])
        let large = Base64.encode(Array(repeating: 0, count: (512 << 10) + 1)[...])
        #expect(codes(run(), at: "a", ["photo": .string("data:image/png;base64,\(large)")]) == ["too_long"])
    }
}
