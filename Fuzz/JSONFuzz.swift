import BellwetherJSON

/// Any bytes: a document, or a refusal with a place inside the text. What is accepted is written and read back the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = JSONSourceMap(bytes).position(of: JSONPointer(tokens: ["a", "0", "b"]))
    do {
        let value = try JSONValue(parsing: bytes)
        let written = value.encoded
        guard let back = try? JSONValue(parsing: written), back == value, back.encoded == written,
            let pretty = try? JSONValue(parsing: value.prettyText), pretty == value
        else { fatalError("written and read back, the value is another") }
        var sorted: [UInt8] = []
        value.write(sortedKeysTo: &sorted)
        guard let ordered = try? JSONValue(parsing: sorted), ordered == value else {
            fatalError("written with sorted keys, the value is another")
        }
        read(JSONReader(value, findings: Findings()))
    } catch {
        guard (0...count).contains(error.offset), error.line > 0, error.column > 0 else {
            fatalError("an error outside of the text")
        }
    }
    return 0
}

/// Reads every value as every type.
private func read(_ reader: JSONReader) {
    _ = (reader.string(length: 1...3), reader.bool(), reader.number(), reader.integer(in: 0...10))
    reader.refuseUnknown(keys: ["a", "b"])
    for element in reader.elements() ?? [] { read(element) }
    for member in reader.members() ?? [] { read(member.value) }
}
