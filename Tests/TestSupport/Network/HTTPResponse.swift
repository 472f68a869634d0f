public import BellwetherJSON

/// A response as received.
public struct HTTPResponse: Sendable {
    public let status: Int
    /// The fields in the order of the wire, with their names as sent.
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]

    /// The value of the first field with the name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; null if it is not JSON.
    public var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The body as one JSON value for each line.
    public var lines: [JSONValue] {
        body.split(separator: 0x0A).map { (try? JSONValue(parsing: $0)) ?? .null }
    }
}
