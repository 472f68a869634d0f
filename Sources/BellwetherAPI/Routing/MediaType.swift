internal import HTTPWire

/// The media type of a body, as its sender declares it.
///
/// Many clients name no type, and curl names a default type. Both are read as JSON. Any other type is refused, because
/// an error of the JSON reader would be less clear.
enum MediaType {
    case json
    /// One JSON document on each line.
    case ndjson

    init(_ request: Request) throws(APIError) {
        let name = Self.named(request)
        switch name {
        case "", "application/json", "application/x-www-form-urlencoded": self = .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl": self = .ndjson
        case let name where name.hasSuffix("+json"): self = .json
        default: throw .unsupportedMediaType("A body of type \(name) is not read here; send application/json.")
        }
    }

    /// Whether the sender declares `application/json`.
    static func isNamedJSON(_ request: Request) -> Bool { named(request) == "application/json" }

    /// The type that the sender declares, without parameters and in lowercase; empty if it declares none.
    static func named(_ request: Request) -> String { request.header(.contentType).map(name) ?? "" }

    /// Refuses any type except one JSON document.
    static func requireJSON(_ request: Request) throws(APIError) {
        guard try MediaType(request) == .json else {
            throw .unsupportedMediaType("This route reads one JSON document; send application/json.")
        }
    }

    /// The value without its parameters, in lowercase.
    private static func name(_ value: ArraySlice<UInt8>) -> String {
        String(decoding: value.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            .filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
