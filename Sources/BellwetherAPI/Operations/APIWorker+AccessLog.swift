internal import BellwetherService
internal import HTTPWire

extension APIWorker {
    /// Writes a response to the access log. `requestContext` is nil if no route matches the request.
    func logAccess(_ response: Response, to request: Request, _ requestContext: RequestContext?, nanoseconds: Int64) {
        accessLine.write(
            AccessLine.Entry(
                at: services.clock.now(), request: request, response: response, requestContext: requestContext,
                peer: settings.proxies.client(of: request), nanoseconds: nanoseconds))
        services.accessLog.append(accessLine.bytes)
    }
}
