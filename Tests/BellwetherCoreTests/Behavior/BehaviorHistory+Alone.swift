import BellwetherBase
import BellwetherJSON
import JEXL

@testable import BellwetherCore

/// Queries of an app without derived events.
extension BehaviorHistory {
    func result(of query: EventQuery, at now: Timestamp) -> Double { value(to: query, at: now).value }

    func value(to query: EventQuery, at now: Timestamp) -> (value: Double, end: Timestamp, turn: Timestamp?) {
        value(to: query, at: now, of: .none)
    }

    func newestTime(of name: Identifier, at now: Timestamp) -> Timestamp? { newestTime(of: name, at: now, of: .none) }
}
