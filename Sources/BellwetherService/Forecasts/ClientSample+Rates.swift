public import BellwetherAuthoring
internal import BellwetherCore
public import BellwetherJSON
internal import JEXL

extension ClientSample {
    /// The days before a window whose events are its covariate (docs/reference/goals.md#what-is-counted).
    private static let daysBefore = 28
    /// The clients that rates need.
    private static let minimumClients = 100

    /// How many events clients had in the last days before their newest poll; nil if too few clients had any.
    ///
    /// - Parameters:
    ///   - cap: the most that one client counts.
    ///   - minimum: the smallest number of clients that may be revealed.
    public func rates(of event: Identifier, days: Int, cap: Int, minimum: Int) -> GoalRates? {
        guard clients.count >= Self.minimumClients else { return nil }
        let counts = clients.map { client in
            let behavior = client.state.behavior
            func sum(_ days: Int, from start: Int) -> Double {
                let query = EventQuery(event: event, kind: .eventSum, interval: .days, count: days, start: start)
                return min(behavior.result(of: query, at: client.at), Double(cap))
            }
            return (now: sum(days, from: 0), before: sum(Self.daysBefore, from: days))
        }
        let active = counts.count { $0.now > 0 }
        let isHidden = active < max(1, minimum) || (1..<max(1, minimum)).contains(clients.count - active)
        guard !isHidden else { return nil }
        return GoalRates(counts)
    }
}
