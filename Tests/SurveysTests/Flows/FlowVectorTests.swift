import BellwetherBase
import BellwetherJSON
import Surveys
import TestSupport
import Testing

/// Every case of `vectors/flows.json`, which `bellwether flow batch` also runs (docs/reference/flows.md#runs). The file
/// has each run as `[status, step id, step index, [reason, target], {pointer: code}]`; null means that a value is not
/// checked.
@Suite struct FlowVectorTests {
    static let cases: [JSONValue] = {
        let file = try? VectorFile.read("flows")
        return file?.object?["cases"]?.array ?? []
    }()

    @Test func theFileIsThere() { #expect(Self.cases.count == 49) }

    @Test(arguments: cases) func runsAsRecorded(_ vector: JSONValue) throws {
        let want = try #require(vector.object?["want"]?.object)
        let answer = try #require(FlowBatch.answer(vector, now: Timestamp(seconds: 1_800_000_000)).object)
        let runs = (answer["runs"]?.array ?? []).map { $0.object ?? [:] }
        let wanted = want["runs"]?.array ?? []
        #expect(runs.count == wanted.count)
        for (run, wanted) in zip(runs, wanted) { check(run, wanted.array ?? []) }
        let names = (answer["events"]?.array ?? []).map { $0.object?["name"] ?? .null }
        #expect(.array(names) == want["events"])
        for final in want["final"]?.object ?? [:] where final.key != "responses" {
            #expect(runs.last?[final.key] == final.value)
        }
        for step in want["final"]?.object?["responses"]?.object ?? [:] {
            for answer in step.value.object ?? [:] {
                let kept = runs.last?["responses"]?.object?[step.key]?.object?[answer.key]
                #expect(kept?.isEqual(to: answer.value) ?? (answer.value == .null))
            }
        }
        for shown in want["shows"]?.object ?? [:] {
            let step = runs[try #require(Int(shown.key))]["step"]?.text ?? ""
            for text in shown.value.array ?? [] { #expect(step.contains(text.string ?? "?")) }
        }
        for shown in want["visible"]?.object ?? [:] {
            let blocks = runs[try #require(Int(shown.key))]["step"]?.object?["content_blocks"]?.array ?? []
            for block in shown.value.object ?? [:] {
                let found = blocks.first { $0.object?["id"]?.string == block.key }
                #expect(found?.object?["visible"] == block.value)
            }
        }
    }

    private func check(_ run: JSONObject, _ wanted: [JSONValue]) {
        let outcome = run["outcome"]?.object
        let seen: [JSONValue] = [run["status"], run["step_id"], run["step_index"]].map { $0 ?? .null }
        for (seen, wanted) in zip(seen, wanted) where wanted != .null { #expect(seen == wanted) }
        if let reason = wanted[3].array?.first { #expect(outcome?["reason"] == reason) }
        if let target = wanted[3].array?.last, target != .null { #expect(outcome?["target"] == target) }
        let codes = (run["errors"]?.array ?? []).map { fault in
            (fault.object?["pointer"]?.string ?? "", fault.object?["code"] ?? .null)
        }
        guard let errors = wanted[4].object else { return #expect(codes.isEmpty) }
        #expect(codes.count == errors.count)
        for (pointer, code) in codes { #expect((errors[pointer] ?? errors["*"]) == code) }
    }
}

extension JSONValue {
    /// Whole numbers are equal with or without a fraction.
    fileprivate func isEqual(to other: JSONValue) -> Bool {
        self == other || double.map { $0 == other.double } ?? false
    }
}
