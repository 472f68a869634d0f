#if canImport(SwiftUI)
    internal import BellwetherBase
    internal import BellwetherCore

    /// The condition under which a questionnaire shows itself. All parts have to hold.
    public struct QuestionnaireTrigger: Sendable, Hashable {
        public enum Condition: Sendable, Hashable {
            case launches(atLeast: Int)
            case foregrounds(atLeast: Int)
            case daysSinceFirstLaunch(atLeast: Int)
            case hoursSinceFirstLaunch(atLeast: Int)
        }

        /// Nil: never by itself.
        let conditions: [Condition]?

        public static let afterLaunch = afterLaunches(1)
        /// The app presents `QuestionnaireView` itself.
        public static let manual = QuestionnaireTrigger(conditions: nil)

        public static func afterLaunches(_ count: Int) -> QuestionnaireTrigger { when(.launches(atLeast: count)) }

        public static func when(_ conditions: Condition...) -> QuestionnaireTrigger {
            QuestionnaireTrigger(conditions: conditions)
        }

        /// Whether the trigger holds.
        func holds(for counters: LaunchCounters, at now: Timestamp) -> Bool {
            guard let conditions else { return false }
            let seconds = counters.firstLaunchAt.map { (now.milliseconds - $0.milliseconds) / 1000 } ?? -1
            return conditions.allSatisfy { condition in
                switch condition {
                case .launches(let count): counters.launches >= count
                case .foregrounds(let count): counters.foregrounds >= count
                case .daysSinceFirstLaunch(let days): seconds >= Int64(days) * 86_400
                case .hoursSinceFirstLaunch(let hours): seconds >= Int64(hours) * 3_600
                }
            }
        }
    }
#endif
