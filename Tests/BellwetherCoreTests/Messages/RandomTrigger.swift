import BellwetherBase
import BellwetherCore
internal import BellwetherJSON
import Samples
import TestSupport

/// Random expressions over a few events and attributes, some with errors, and random histories of those events.
struct RandomTrigger {
    var random: SeededGenerator
    let events: [String]

    private static let others = [
        "true", "false", "(age >= 18)", "(city == 'Bern')", "missing", "('e' in enrollments)", "age",
        "(current_date > 1773200000)", "([nimbus_id, 'n']|bucketSample(0, 5000, 10000))",
    ]

    mutating func text(depth: Int) -> String {
        guard depth > 0, Int.random(in: 0..<5, using: &random) > 0 else { return atom() }
        let (left, right) = (text(depth: depth - 1), text(depth: depth - 1))
        return switch Int.random(in: 0..<12, using: &random) {
        case 0...4: "(\(left) && \(right))"
        case 5...7: "(\(left) || \(right))"
        case 8: "(\(left) ? \(right) : \(text(depth: depth - 1)))"
        case 9: "(\(left) == \(right))"
        case 10: "([\(left), \(right)][\(Int.random(in: 0...1, using: &random))])"
        default: "((\(left)) == false)"
        }
    }

    private mutating func atom() -> String {
        guard Int.random(in: 0..<3, using: &random) > 0 else {
            return Self.others.randomElement(using: &random) ?? "true"
        }
        let query = query()
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: "(\(query))"
        case 1: "(1 / (\(query)) > 0.5)"
        case 2: "(\(query) == \(self.query()))"
        default:
            "(\(query) \(["<", ">", ">=", "==", "!="].randomElement(using: &random) ?? ">") "
                + "\(Int.random(in: 0...2, using: &random)))"
        }
    }

    private mutating func query() -> String {
        let event = events.randomElement(using: &random) ?? ""
        let unit = ["Minutes", "Days", "Weeks", "Years", "days"].randomElement(using: &random) ?? ""
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: "'\(event)'|eventLastSeen('\(unit)')"
        case 1: "'\(event)'|eventAveragePerInterval('\(unit)', \(Int.random(in: 0...2, using: &random)))"
        case 2: "'\(event)'|eventCountNonZero('\(unit)', 4, \(Int.random(in: 0...1, using: &random)))"
        default: "'\(event)'|eventSum('\(unit)', 4)"
        }
    }

    /// A history that contains each event with even odds, some of them long ago.
    mutating func history() -> BehaviorHistory {
        var history = BehaviorHistory()
        for event in events where Bool.random(using: &random) {
            let ago = Int64.random(in: 0...1, using: &random) * Int64.random(in: 0...9_000_000, using: &random)
            _ = history.recordPast(
                Identifier(event), count: UInt64.random(in: 0...3, using: &random),
                at: Sample.now.adding(seconds: -ago),
                now: Sample.now)
        }
        return history
    }
}
