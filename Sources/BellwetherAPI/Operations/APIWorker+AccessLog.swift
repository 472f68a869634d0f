internal import BellwetherService
internal import HTTPWire

extension APIWorker {
    /// When a request was taken up, in nanoseconds of a clock that never goes back; 0 where nobody asks.
    static func started(_ log: AccessLog) -> UInt64 { log.isOn ? MonotonicTime.nanoseconds : 0 }

    /// Puts an answer into the access log, where there is one. No call: the request met no route.
    func logAccess(_ response: Response, to request: Request, _ call: Call?) {
        guard services.accessLog.isOn else { return }
        let started = call?.started ?? self.started
        // The log was turned on while the request was under way.
        let nanoseconds = started == 0 ? 0 : MonotonicTime.nanoseconds &- started
        accessLine.write(
            AccessLine.Entry(
                at: services.clock.now(), request: request, response: response, call: call,
                peer: settings.proxies.client(of: request), nanoseconds: nanoseconds))
        services.accessLog.append(accessLine.bytes)
    }
}
