internal import BellwetherService
internal import HTTPWire

/// The files of runs, for owners (docs/reference/http-api.md#flows).
enum FileRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/files/{sha256}", .needs(.respond), handle: show)]

    /// The content comes from a respondent. The header fields make a browser save it, and prevent it from guessing its
    /// type or running it.
    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        let name = FileName(app: try call.app().name, sha256: call.parameter("sha256"))
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<StoredFile?, StoreError>>) in
            store.readFile(name) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard let file = try outcome.orThrow() else { throw .notFound("There is no such file.") }
            var response = Response(200, body: .bytes(file.content))
            // Images already are compressed.
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
