internal import BellwetherCore
public import BellwetherJSON

/// One line of `bellwether goals batch`: a goal and what was counted of it, or the assumptions of a size
/// (docs/reference/goals.md#the-command-goals).
public enum GoalBatch {
    private static let keys: Set<Identifier> = ["goal", "control", "branches", "guards", "minimum_cell"]
    private static let sums: Set<Identifier> = ["branch", "ratio", "n", "c", "sy", "syy", "sx", "sxx", "sxy"]

    /// - Parameter line: a JSON text, whose sums may have more digits than other numbers.
    public static func answer(line: [UInt8]) -> JSONValue {
        do throws(JSONError) {
            return answer(try JSONValue(parsing: quotingLongNumbers(line)))
        } catch {
            return ["error": .string(error.message)]
        }
    }

    private static func answer(_ line: JSONValue) -> JSONValue {
        let findings = Findings()
        let reader = JSONReader(line, findings: findings)
        let answer = reader.optional("size") == nil ? report(reader) : size(reader)
        if let answer, findings.faults.isEmpty { return answer }
        let messages = findings.faults.map { "\($0.pointer): \($0.message)" }
        return ["error": .string(messages.joined(separator: "; "))]
    }

    private static func size(_ reader: JSONReader) -> JSONValue? {
        reader.refuseUnknown(keys: ["size"])
        return reader.required("size").flatMap { GoalSizing($0) }?.json
    }

    private static func report(_ reader: JSONReader) -> JSONValue? {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: keys)
        let goal = reader.required("goal").flatMap { Goal($0) }
        let control = reader.required("control").flatMap { $0.string() }.map { Identifier($0) }
        let branches = reader.required("branches").flatMap { $0.elements() }?.map(branch)
        let bounds = reader.optional("guards").flatMap { $0.elements() }?.map { ($0, GoalGuard($0)) } ?? []
        let minimum = reader.optional("minimum_cell").map { $0.integer(in: 1...Int64.max) } ?? 1
        guard let goal, let control, let branches, let minimum else { return nil }
        let (known, guards) = (branches.compactMap(\.self), bounds.compactMap(\.1))
        guard known.count == branches.count, guards.count == bounds.count else { return nil }
        let names = Set(known.map(\.slug))
        if names.count < max(2, known.count) {
            reader.required("branches")?.finding("goals_branches", "expected two or more branches of different names")
        }
        if !names.contains(control) { reader.required("control")?.finding("reference", "no branch has this name") }
        for case (let reader, let bound?) in bounds {
            if bound.goal != goal.name { reader.required("goal")?.finding("reference", "no goal has this name") }
            guard let branch = bound.branch, !names.contains(branch) || branch == control else { continue }
            reader.required("branch")?.finding("reference", "no branch but the control has this name")
        }
        guard reader.findings.faults.isEmpty else { return nil }
        let report = GoalReport(goal, control: control, branches: known, minimum: minimum)
        return [
            "branches": report.branchesJSON, "comparisons": report.comparisonsJSON,
            "sample_ratio": report.sampleRatio.json,
            "guards": .array(guards.map { ["fires": .array(report.fires($0).map { .string($0) })] }),
        ]
    }

    private static func branch(_ reader: JSONReader) -> GoalReport.Branch? {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: sums)
        let slug = reader.required("branch").flatMap { $0.string() }
        let ratio = reader.required("ratio").flatMap { $0.integer(in: 0...Int64(UInt32.max)) }
        let n = reader.required("n").flatMap { $0.integer(in: 0...Int64.max) }
        let c = reader.required("c").flatMap { $0.integer(in: 0...Int64.max) }
        let numbers = ["sy", "syy", "sx", "sxx", "sxy"].map { reader.required($0).flatMap(sum) }
        guard let slug, let ratio, let n, let c, !numbers.contains(nil) else { return nil }
        var sums = GoalSums()
        (sums.n, sums.c, sums.sy, sums.syy) = (n, c, numbers[0] ?? 0, numbers[1] ?? 0)
        (sums.sx, sums.sxx, sums.sxy) = (numbers[2] ?? 0, numbers[3] ?? 0, numbers[4] ?? 0)
        return GoalReport.Branch(slug: Identifier(slug), ratio: ratio, sums: sums)
    }

    private static func sum(_ reader: JSONReader) -> Int128? {
        if let text = reader.value.string, let number = Int128(text), number >= 0 { return number }
        return reader.integer(in: 0...Int64.max).map { Int128($0) }
    }

    /// The text with numbers of more than 18 digits in quotation marks. JSON's own reader would round them.
    private static func quotingLongNumbers(_ line: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var (output, place, isInString) = ([UInt8](), 0, false)
        while place < line.count {
            let byte = line[place]
            if isInString || !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                output.append(byte)
                place += 1
                if byte == quote {
                    isInString.toggle()
                } else if isInString, byte == UInt8(ascii: "\\"), place < line.count {
                    output.append(line[place])
                    place += 1
                }
                continue
            }
            let number = line[place...].prefix { "0123456789.eE+-".utf8.contains($0) }
            let isLong = number.count > 18 && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            output += isLong ? [quote] + number + [quote] : Array(number)
            place += number.count
        }
        return output
    }
}
