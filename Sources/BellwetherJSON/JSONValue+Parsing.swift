extension JSONValue {
    public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        self = try Self.parse(bytes.span, limits)
    }

    /// Offsets in errors count from the beginning of the slice.
    public init(parsing bytes: ArraySlice<UInt8>, limits: JSONLimits = .standard) throws(JSONError) {
        self = try Self.parse(bytes.span, limits)
    }

    public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
        self = try Self.parse(Array(text.utf8).span, limits)
    }

    private static func parse(_ bytes: Span<UInt8>, _ limits: JSONLimits) throws(JSONError) -> JSONValue {
        var parser = JSONParser(limits)
        do {
            return try parser.document(bytes)
        } catch {
            let detail = error.reason == .duplicateKey ? key(at: error.offset, bytes) : nil
            throw JSONError(error, in: bytes, detail: detail)
        }
    }

    /// The key that begins at an offset, in quotation marks; long ones are cut.
    private static func key(at offset: Int, _ bytes: Span<UInt8>) -> String? {
        var parser = JSONParser(.standard)
        parser.position = offset
        guard let key = try? parser.string(bytes) else { return nil }
        let shown = key.unicodeScalars.count > 80 ? String(key.unicodeScalars.prefix(80)) + "…" : key
        return JSONValue.string(shown).text
    }
}
