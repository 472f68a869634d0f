internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService

/// A place in the log, as pipelines carry it: opaque to them.
public enum TelemetryCursor {
    private static let prefix = "t"

    public static func text(_ cursor: Int64) -> String { prefix + String(cursor, radix: 36) }

    /// An empty text is the start.
    static func parse(_ text: String) -> Int64? {
        if text.isEmpty { return 0 }
        guard text.hasPrefix(prefix), let cursor = Int64(text.dropFirst(), radix: 36), cursor >= 0,
            self.text(cursor) == text
        else { return nil }
        return cursor
    }
}

extension TelemetryRow {
    /// One line of NDJSON.
    public func write(to output: inout [UInt8]) {
        output += "{\"cursor\":\"".utf8
        output += TelemetryCursor.text(cursor).utf8
        output += "\"".utf8
        output.append(member: "at", .string(at.rfc3339))
        output.append(member: "client_id", .string(clientID))
        output.append(member: "category", .string(category))
        output.append(member: "name", .string(name))
        output += ",\"extra\":".utf8
        output += extra.utf8
        if let experiment { output.append(member: "experiment", .string(experiment)) }
        if let branch { output.append(member: "branch", .string(branch)) }
        output += "}\n".utf8
    }
}
