internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The Model Context Protocol over HTTP. Each POST has one message, and gets one JSON response (docs/reference/mcp.md).
enum MCPRoute {
    static let all = [Endpoint(.post, "/mcp", .needs(.read), inBackground: post)]

    @Sendable private static func post(_ call: BackgroundCall) throws(APIError) -> Step {
        try checkOrigin(call)
        let value: JSONValue
        do {
            value = try call.json()
        } catch .notJSON(let error) {
            let refusal = MCPError(.parse, "The message is not JSON: \(error.message).")
            return .respond(refusal.response(id: nil, hasStatus: true))
        }
        let message: MCPMessage
        do {
            message = try MCPMessage(value)
        } catch {
            return .respond(error.response(id: nil, hasStatus: true))
        }
        guard message.isRequest else { return .respond(Response(202)) }
        do {
            let request = try MCPRequest(message, call.request)
            do {
                return try MCPMethods.handle(request, call)
            } catch {
                return .respond(error.response(id: message.id, hasStatus: !request.revision.isLegacy))
            }
        } catch {
            return .respond(error.response(id: message.id, hasStatus: true))
        }
    }

    /// Refuses pages of other origins than the daemon's own and the configured ones. A client that sends no `Origin` is
    /// not a browser.
    private static func checkOrigin(_ call: BackgroundCall) throws(APIError) {
        guard call.request.header(.origin) != nil, call.request.sender != .ownPage else { return }
        guard AllowedOrigins(configured: call.settings.corsOrigins).text(of: call.request) == nil else { return }
        throw .refused(code: "origin", "Pages of this origin may not call: the setting cors.origins has no such.")
    }
}
