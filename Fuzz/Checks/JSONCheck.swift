internal import BellwetherJSON

/// Any bytes: they give a document, or an error with a position inside the text. An accepted document is the same after
/// it is written and read again, and Foundation reads the same value. Foundation also rejects the texts with syntax
/// errors.
public enum JSONCheck: FuzzCheck {
    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        _ = JSONSourceMap(bytes).position(of: JSONPointer(tokens: ["a", "0", "b"]))
        let theirs = FoundationJSON.isComparable(bytes) ? try? FoundationJSON.parse(bytes) : nil
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            let isInside = (0...bytes.count).contains(error.offset) && error.line > 0 && error.column > 0
            try require(isInside, "an error outside of the text: \(error)")
            let isGrammar = [.syntax, .truncated, .trailing].contains(error.kind)
            let isForgiven = FoundationJSON.forgives(bytes, at: error.offset)
            try require(!isGrammar || theirs == nil || isForgiven, "Foundation reads what is refused: \(error)")
            return .refused
        }
        try written(value)
        read(JSONReader(value, findings: Findings()))
        if FoundationJSON.isComparable(bytes) {
            try require(theirs.map { FoundationJSON.agrees($0, value) } ?? false, "Foundation reads something else")
        }
        return .taken
    }

    private static func written(_ value: JSONValue) throws(Violation) {
        let written = value.encoded
        let back = try? JSONValue(parsing: written)
        try require(back == value && back?.encoded == written, "written and read back, the value is another")
        try require((try? JSONValue(parsing: value.prettyText)) == value, "written prettily, the value is another")
        var sorted: [UInt8] = []
        value.write(sortedKeysTo: &sorted)
        try require((try? JSONValue(parsing: sorted)) == value, "written with sorted keys, the value is another")
    }

    /// Reads every value as every type.
    private static func read(_ reader: JSONReader) {
        _ = (reader.string(length: 1...3), reader.bool(), reader.number(), reader.integer(in: 0...10))
        reader.refuseUnknown(keys: ["a", "b"])
        for element in reader.elements() ?? [] { read(element) }
        for member in reader.members() ?? [] { read(member.value) }
    }
}
