internal import BellwetherService
internal import HTTPWire

extension APIWorker {
    /// When a request was taken up, in nanoseconds of a clock that never goes back; 0 where nobody asks.
    static func started(_ log: AccessLog) -> UInt64 { log.isOn ? MonotonicTime.nanoseconds : 0 }

    /// Puts an answer into the access log, if it was on when the request came. No call: the request met no route.
    func logAccess(_ response: Response, to request: Request, _ call: Call?) {
        let started = call?.started ?? self.started
        guard started != 0 else { return }
        accessLine.write(
            AccessLine.Entry(
                at: services.clock.now(), request: request, response: response, call: call,
                peer: settings.proxies.client(of: request), nanoseconds: MonotonicTime.nanoseconds &- started))
        services.accessLog.append(accessLine.bytes)
    }
}
