internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Places for location fields, found by the beginning of their names (docs/reference/flows.md#locations).
enum LocationRoutes {
    static let all = [
        Endpoint(.get, "/v1/apps/{app}/locations", .needs(.participate, or: .read), handle: get)
    ]

    private static let limits: ClosedRange<Int64> = 1...20

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        var query = LocationQuery("")
        let reader = try QueryReader(call)
        for item in reader.items { read(item, reader, &query) }
        try reader.finish()
        guard let places = call.services.places else { return .now(answer([])) }
        return call.park { [query] ticket in
            places.suggest(query, for: app.name) { ticket.complete($0) }
        } resume: { found in
            .now(answer(found))
        }
    }

    private static func answer(_ found: [LocationSuggestion]) -> Response {
        .json(200, ["data": ["suggestions": .array(found.map { .object($0.json) })]])
    }

    private static func read(_ item: QueryItem, _ reader: QueryReader, _ query: inout LocationQuery) {
        switch item.name {
        case "query":
            query.text = item.value
            if item.value.count > 200 { reader.fault("length", at: "query", "query has at most 200 characters") }
        case "type":
            if let kind = LocationQuery.Kind(rawValue: item.value) {
                query.kind = kind
            } else {
                let names = LocationQuery.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                reader.fault("choice", at: "type", "type is one of \(names)")
            }
        case "bias_country":
            let code = item.value.uppercased()
            if code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
                query.biasCountry = code
            } else if !code.isEmpty {
                reader.fault("country", at: "bias_country", "bias_country is an ISO 3166-1 code of two letters")
            }
        case "language":
            if !item.value.isEmpty { query.language = reader.languageTag(item)?.text }
        case "limit": query.limit = Int(reader.integer("limit", item.value, in: limits))
        default: break
        }
    }
}
