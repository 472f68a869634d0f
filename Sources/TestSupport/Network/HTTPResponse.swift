public import BellwetherJSON

/// A response as it came over the wire.
public struct HTTPResponse: Sendable {
    public let status: Int
    /// In the order of the wire, names as sent.
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]

    /// The value of the first field of that name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; null when it is none.
    public var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The body as one JSON value a line.
    public var lines: [JSONValue] {
        body.split(separator: 0x0A).map { (try? JSONValue(parsing: $0)) ?? .null }
    }
}
