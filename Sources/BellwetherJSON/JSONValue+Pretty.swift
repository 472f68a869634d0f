extension JSONValue {
    /// One member or element a line, two spaces a level: for people.
    public var prettyText: String {
        var output: [UInt8] = []
        writePretty(to: &output, level: 0)
        return String(decoding: output, as: UTF8.self)
    }

    private func writePretty(to output: inout [UInt8], level: Int) {
        switch self {
        case .array(let values) where !values.isEmpty:
            output.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                Self.startLine(position, level + 1, &output)
                value.writePretty(to: &output, level: level + 1)
            }
            Self.startLine(0, level, &output)
            output.append(UInt8(ascii: "]"))
        case .object(let members) where !members.isEmpty:
            output.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                Self.startLine(position, level + 1, &output)
                JSONText.append(quoted: member.key, to: &output)
                output.append(contentsOf: ": ".utf8)
                member.value.writePretty(to: &output, level: level + 1)
            }
            Self.startLine(0, level, &output)
            output.append(UInt8(ascii: "}"))
        default: write(to: &output)
        }
    }

    private static func startLine(_ position: Int, _ level: Int, _ output: inout [UInt8]) {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
}
