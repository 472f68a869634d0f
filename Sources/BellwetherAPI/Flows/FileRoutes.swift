internal import BellwetherService
internal import HTTPWire

/// Files of runs, as owners read them (docs/reference/http-api.md#flows).
enum FileRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/files/{sha256}", .needs(.respond), handle: show)]

    /// The content comes from a respondent: a browser saves it, and neither guesses its type nor runs it.
    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        let name = FileName(app: try call.app().name, sha256: call.parameter("sha256"))
        let store = call.services.persistence
        return call.detached.park { (ticket: Ticket<Result<StoredFile?, StoreError>>) in
            store.readFile(name) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard let file = try outcome.orThrow() else { throw .notFound("There is no such file.") }
            var response = Response(200, body: .bytes(file.content))
            // Images are compressed already.
            response.isEncoded = true
            response.add("Content-Type", file.type)
            response.add("Content-Disposition", "attachment")
            response.add("X-Content-Type-Options", "nosniff")
            response.add("Content-Security-Policy", "default-src 'none'; sandbox")
            response.add("Cache-Control", "private, no-store")
            return .now(response)
        }
    }
}
