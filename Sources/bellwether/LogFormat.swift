internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import Logging

/// The form of the daemon's log on standard error (setting `log.format`).
enum LogFormat: String, CaseIterable, Sendable {
    case text, json

    func handler(label: String) -> any LogHandler {
        switch self {
        case .text: StreamLogHandler.standardError(label: label)
        case .json: JSONLogHandler(label: label)
        }
    }
}

/// Writes a JSON object a line (docs/operators-guide.md#traces-and-logs).
struct JSONLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// `LogLevel` decides which events there are.
    var logLevel = Logger.Level.trace

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { StandardError.write(line(event, at: Clock.system.now())) }

    /// The members that every line has, and then those of the event, in the order of their names.
    func line(_ event: LogEvent, at now: Timestamp) -> String {
        var members: JSONObject = [
            "at": .string(now.rfc3339), "level": .string(event.level.rawValue), "logger": .string(label),
            "message": .string(event.message.description),
        ]
        let details = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        for (name, value) in details.sorted(by: { $0.key < $1.key }) where members[name] == nil {
            members[name] = JSONValue(value)
        }
        return JSONValue.object(members).text
    }
}

extension JSONValue {
    fileprivate init(_ value: Logger.Metadata.Value) {
        switch value {
        case .string(let text): self = .string(text)
        case .stringConvertible(let value): self = .string("\(value)")
        case .array(let values): self = .array(values.map { JSONValue($0) })
        case .dictionary(let members):
            let sorted = members.sorted { $0.key < $1.key }
            self = .object(JSONObject(sorted.map { ($0.key, JSONValue($0.value)) }))
        }
    }
}
