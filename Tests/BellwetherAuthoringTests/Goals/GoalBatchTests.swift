import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherAuthoring

/// The answers of `bellwether goals batch` (docs/reference/goals.md#the-command-goals).
@Suite struct GoalBatchTests {
    private static func answer(_ line: String) -> JSONValue { GoalBatch.answer(line: Array(line.utf8)) }

    private static let none = #""n": 0, "c": 0, "sy": 0, "syy": 0, "sx": 0, "sxx": 0, "sxy": 0"#
    private static let goal = #"{"name": "g", "event": "e", "counts": "sum"}"#

    private static func line(guards: String) -> String {
        let branches = ["a", "b"].map { #"{"branch": "\#($0)", "ratio": 1, \#(none)}"# }.joined(separator: ",")
        return #"{"goal": \#(goal), "control": "a", "branches": [\#(branches)], "guards": [\#(guards)]}"#
    }

    /// Each case is a line of the file, so that its long numbers are read as they are written.
    @Test func `Each case answers as its vector says`() throws {
        let text = String(decoding: try VectorFile.bytes("goals", in: .module), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(#"{"id""#) }
        #expect(lines.count == 41)
        for line in lines {
            let input = try #require(line.firstRange(of: #""input": "#)).upperBound
            let want = try #require(line.firstRange(of: #", "want": "#))
            let wanted = try JSONValue(parsing: Array(line[want.upperBound...].trimmingSuffix(",").dropLast().utf8))
            let answer = Self.answer(String(line[input..<want.lowerBound]))
            #expect(answer.isNear(wanted), "\(line.prefix(12)): \(answer.text)")
        }
    }

    @Test(arguments: [
        ("{", ""), ("[]", "expected an object"),
        (#"{"size": {"counts": "sum", "mean": 1, "mde": 0.1}}"#, "/size/sd: the member \"sd\" is missing"),
        (#"{"size": {"counts": "converted", "mean": 0.9, "mde": 0.2}}"#, "/size/mde: with this effect"),
        (#"{"size": {"counts": "converted", "mean": 0.1, "mde": 0.1, "sd": 1}}"#, "/size/sd: the deviation"),
        (#"{"size": {"counts": "converted", "mean": 0, "mde": 11, "power": 1}}"#, "/size/power: expected a number"),
        (#"{"size": {"counts": "converted", "mean": 0.1, "mde": 0.1, "branches": 1}}"#, "/size/branches"),
        (#"{"size": {"counts": "converted", "mean": 0.1, "mde": 0.1, "exposed_per_day": 0}}"#, "/size/exposed_per_day"),
        (
            #"{"goal": {"name": "g", "event": "e", "counts": "sum"}, "control": "a", "branches": []}"#,
            "/control: no branch"
        ),
        (line(guards: #"{"goal": "g", "worse_than": null}"#), "/guards/0/worse_than: a guard has"),
        (line(guards: #"{"goal": "h", "worse_by": 0, "branch": "a"}"#), "/guards/0/goal: no goal"),
        (line(guards: #"{"goal": "g", "worse_by": 0, "branch": "a"}"#), "/guards/0/branch: no branch but the control"),
        (
            #"{"goal": {"name": "G", "event": "", "counts": "converted", "cap": 3}, "control": "a", "branches": [{"n": -1}]}"#,
            "/goal/cap"
        ),
    ]) func `A line with faults is answered with all of them`(_ line: String, _ fault: String) throws {
        let answer = Self.answer(line)
        let message = try #require(answer.object?["error"]?.string, "\(answer.text)")
        #expect(answer.object?.count == 1 && (fault.isEmpty || message.contains(fault)), "\(message)")
    }

    @Test(arguments: [
        #"{"counts": "converted", "mean": 0.1, "mde": 1e-9}"#,
        #"{"counts": "sum", "mean": 1, "mde": 0.1, "sd": 1e200}"#,
        #"{"counts": "sum", "mean": 1e-200, "mde": 0.1, "sd": 1e-200}"#,
        #"{"counts": "sum", "mean": 1e200, "mde": 1, "sd": 1e200}"#,
        #"{"counts": "sum", "mean": 1, "mde": 10, "sd": 1e-6}"#,
    ]) func `A size that no experiment has is a number`(_ size: String) throws {
        let answer = Self.answer("{\"size\": \(size)}")
        let clients = try #require(answer.object?["all_clients"]?.integer, "\(answer.text)")
        #expect((2...2_500_000_000_000_000).contains(clients))
    }

    @Test func `Counts near the largest number are estimated`() throws {
        let (n, most) = (999_999_999_999_999_999, Int128.max)
        let branches = (0..<20).map { number in
            #"{"branch": "b\#(number)", "ratio": 1, "n": \#(n), "c": \#(n), "sy": \#(most), "syy": \#(most), "#
                + #""sx": \#(most), "sxx": \#(most), "sxy": 0}"#
        }
        let goal = #"{"name": "g", "event": "e", "counts": "sum", "plan": {"mean": 1, "sd": 1e-6, "mde": 10}}"#
        let line = #"{"goal": \#(goal), "control": "b0", "branches": [\#(branches.joined(separator: ","))]}"#
        #expect(Self.answer(line).object?["sample_ratio"]?.object?["p"] == .number(1))
    }

    @Test func `A variance is exact where its terms have 60 digits`() throws {
        var sums = GoalSums()
        let mean: Int128 = 1_000_000_000
        sums.n = 1_000_000_000_000
        // Half of the clients are one above the mean, half of them one below it.
        (sums.sy, sums.syy) = (mean * Int128(sums.n), (mean * mean + 1) * Int128(sums.n))
        (sums.sx, sums.sxx, sums.sxy) = (0, Int128(sums.n), -Int128(sums.n))
        #expect(sums.ySquares == Double(sums.n) && sums.xSquares == Double(sums.n) && sums.products == -Double(sums.n))
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
        hasSuffix(suffix) ? dropLast(suffix.count) : self
    }
}

extension JSONValue {
    /// Whether two values are equal. Numbers may differ by 1e-9 of the larger of 1 and the value.
    fileprivate func isNear(_ other: JSONValue) -> Bool {
        if let number = double, let wanted = other.double {
            return (number - wanted).magnitude <= 1e-9 * max(1, wanted.magnitude)
        }
        if let values = array, let others = other.array {
            return values.count == others.count && zip(values, others).allSatisfy { $0.isNear($1) }
        }
        if let members = object, let others = other.object {
            return members.count == others.count
                && members.allSatisfy { member in others[member.key].map { member.value.isNear($0) } ?? false }
        }
        return self == other
    }
}
