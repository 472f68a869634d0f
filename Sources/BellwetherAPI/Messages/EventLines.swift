internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Events as NDJSON: one `{client_id, …event}` on each line. An event's index counts the lines that are not empty.
struct EventLines {
    private var events = EventsByClient()

    var batches: [ClientEvents] { events.batches }

    init(_ call: Call, app: AppSnapshot) throws(APIError) {
        let lines = Self.lines(call.request.body)
        let limit = call.worker.settings.eventLinesPerRequest
        guard lines.count <= limit else {
            throw .invalid("too_many", "a request brings at most \(limit) lines, this one \(lines.count)")
        }
        guard !lines.isEmpty else { throw .badRequest("length", "there is no event") }
        let limits = call.jsonLimits
        let findings = Findings()
        let read = lines.enumerated().map { index, line in Self.read(line, index, limits, findings) }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        let now = call.now
        for (index, event) in read.enumerated() {
            guard let event else { continue }
            events.add(to: ClientReference(app: app.name, id: event.clientID)) {
                $0.add(event.value, index: index, isLine: true, app: app, call: call, now: now)
            }
        }
    }

    private struct Line {
        /// The line's number in the body, from 1.
        let number: Int
        let text: ArraySlice<UInt8>
    }

    private static func lines(_ body: ArraySlice<UInt8>) -> [Line] {
        body.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
            .map { Line(number: $0.offset + 1, text: $0.element) }
            .filter { !$0.text.isEmpty && $0.text != [0x0D] }
    }

    /// Reads a line. A line that is not JSON, or that names no client, is a fault of the whole request.
    private static func read(
        _ line: Line, _ index: Int, _ limits: JSONLimits, _ findings: Findings
    ) -> (clientID: Identifier, value: JSONValue)? {
        let pointer = JSONPointer(tokens: [String(index)])
        do {
            let value = try JSONValue(parsing: line.text, limits: limits)
            let clientID = JSONReader(value, at: pointer, findings: findings).required("client_id")?.identifier()
            return clientID.map { ($0, value) }
        } catch {
            findings.fault("json_\(error.kind.rawValue)", at: pointer, "line \(line.number): \(error.message)")
            return nil
        }
    }
}

/// The events of a request that names a client for each event, grouped by client.
struct EventsByClient {
    private(set) var batches: [ClientEvents] = []
    private var positions: [Identifier: Int] = [:]

    mutating func add(to client: ClientReference, _ add: (inout EventBatch) -> Void) {
        let key = client.id
        let position = positions[key] ?? batches.count
        if position == batches.count {
            positions[key] = position
            batches.append(ClientEvents(client: client, events: EventBatch()))
        }
        add(&batches[position].events)
    }
}
