public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Synchronization

/// The events of each app's recipes in the last 24 hours, and the problems (docs/reference/http-api.md#activity).
///
/// Events are counted at commits, so a poll without effects is not counted. The counts are in memory, and a restart
/// empties them. The number of subjects is bounded; later ones are left out.
public final class Activity: Sendable {
    /// The events that are counted for each hour.
    public enum Event: Sendable, Hashable, CaseIterable {
        /// The events of a message.
        case shown, answered
        /// The events of a questionnaire, a survey or a flow.
        case started, submitted
    }

    /// The subject of an event: the key of a message, or the slug of the content that it presents.
    public enum Subject: Sendable, Hashable {
        case message(Identifier)
        case recipe(Identifier)
    }

    /// The kinds of problems.
    public enum ProblemCode: String, Sendable, Hashable, CaseIterable {
        /// A message could not be shown to a client. It is counted once for each client and publication.
        case malformedMessage = "malformed_message"
        case webhookGivenUp = "webhook_given_up"
        case hookFailed = "hook_failed"
        case eventsRefused = "events_refused"
        /// A guard has paused a recipe.
        case guardFired = "guard"
        /// More or fewer clients come to a recipe than was forecast.
        case offPlan = "off_plan"
    }

    public struct Problem: Sendable, Hashable {
        public let code: ProblemCode
        public let subject: Subject?
        /// The detail of the problem: a reason from a bounded set, a host or a step. It never contains text of a
        /// respondent.
        public let detail: String

        public init(_ code: ProblemCode, of subject: Subject? = nil, _ detail: String) {
            (self.code, self.subject, self.detail) = (code, subject, String(detail.prefix(Activity.longestDetail)))
        }
    }

    /// The counts of an app.
    public struct Report: Sendable {
        public fileprivate(set) var events: [Subject: [Event: [Int]]] = [:]
        public fileprivate(set) var problems: [(problem: Problem, count: Int, last: Timestamp)] = []
    }

    fileprivate struct App {
        var events: [Subject: [Event: HourlyCounts]] = [:]
        var problems: [Problem: (counts: HourlyCounts, last: Timestamp)] = [:]
    }

    public static let hours = HourlyCounts.hours
    static let maximumSubjects = 2_000
    static let maximumProblems = 200
    /// The maximum number of apps. Deleted apps keep their counts.
    static let maximumApps = 1_000
    static let longestDetail = 200

    /// The time at which counting began.
    public let since: Timestamp
    private let clock: Clock
    private let apps = Mutex<[Identifier: App]>([:])

    init(_ clock: Clock) { (self.clock, since) = (clock, clock.now()) }

    /// The counts of the last 24 hours of UTC, including the current hour.
    public func report(of app: Identifier) -> Report {
        let hour = clock.now().hour
        guard let counted = apps.withLock({ $0[app] }) else { return Report() }
        var report = Report()
        for (subject, events) in counted.events {
            let values = events.mapValues { $0.values(until: hour) }.filter { $0.value.contains { $0 > 0 } }
            if !values.isEmpty { report.events[subject] = values }
        }
        report.problems = counted.problems.map { problem, entry in
            (problem, entry.counts.values(until: hour).reduce(0, +), entry.last)
        }
        .filter { $0.count > 0 }
        return report
    }

    /// Counts a problem.
    public func note(_ problem: Problem, times count: Int = 1, in app: Identifier) {
        let now = clock.now()
        apps.withLock { $0.change(app) { $0.note(problem, count, at: now) } }
    }

    /// Notes the events of a commit.
    func note(_ groups: [WriteGroup]) {
        var events: [Identifier: [Subject: [Event: Int]]] = [:]
        var problems: [Identifier: [Problem: Int]] = [:]
        for group in groups {
            for entry in group.records {
                let (app, record) = (entry.app, entry.record)
                if let (event, subject) = record.event {
                    events[app, default: [:]][subject, default: [:]][event, default: 0] += 1
                } else if let problem = record.problem {
                    problems[app, default: [:]][problem, default: 0] += 1
                }
            }
        }
        guard !events.isEmpty || !problems.isEmpty else { return }
        let now = clock.now()
        apps.withLock { apps in
            for (app, counts) in events { apps.change(app) { $0.add(counts, in: now.hour) } }
            for (app, counts) in problems {
                apps.change(app) { for (problem, count) in counts { $0.note(problem, count, at: now) } }
            }
        }
    }
}

extension [Identifier: Activity.App] {
    fileprivate mutating func change(_ name: Identifier, _ change: (inout Activity.App) -> Void) {
        guard self[name] != nil || count < Activity.maximumApps else { return }
        change(&self[name, default: Activity.App()])
    }
}

extension Activity.App {
    fileprivate mutating func add(_ counts: [Activity.Subject: [Activity.Event: Int]], in hour: Int64) {
        for (subject, events) in counts {
            if self.events[subject] == nil, self.events.count >= Activity.maximumSubjects {
                self.events = self.events.filter { $0.value.values.contains { $0.isRecent(in: hour) } }
                guard self.events.count < Activity.maximumSubjects else { continue }
            }
            for (event, count) in events {
                self.events[subject, default: [:]][event, default: HourlyCounts()].add(count, in: hour)
            }
        }
    }

    fileprivate mutating func note(_ problem: Activity.Problem, _ count: Int, at now: Timestamp) {
        if problems[problem] == nil, problems.count >= Activity.maximumProblems,
            let oldest = problems.min(by: { $0.value.last < $1.value.last })
        {
            problems[oldest.key] = nil
        }
        problems[problem, default: (HourlyCounts(), now)].counts.add(count, in: now.hour)
        problems[problem]?.last = now
    }
}

extension TelemetryRecord {
    /// The event that the record counts as. Answers in development do not count.
    fileprivate var event: (Activity.Event, Activity.Subject)? {
        switch (category, name) {
        case ("messaging", "shown"): messageKey.map { (.shown, .message($0)) }
        case ("microsurvey", "submit_button_tapped"): messageKey.map { (.answered, .message($0)) }
        case ("questionnaire", "started"), ("survey", "started"): run("slug").map { (.started, $0) }
        case ("questionnaire", "submitted"), ("survey", "submitted"): run("slug").map { (.submitted, $0) }
        case ("onboarding", "onboarding_flow_started"): run("flow_id").map { (.started, $0) }
        case ("onboarding", "onboarding_flow_completed"): run("flow_id").map { (.submitted, $0) }
        default: nil
        }
    }

    fileprivate var problem: Activity.Problem? {
        switch (category, name) {
        case ("messaging", "malformed"):
            messageKey.map { Activity.Problem(.malformedMessage, of: .message($0), $0.text) }
        case ("onboarding", "onboarding_hook_error"), ("onboarding", "chat_webhook_error"):
            run("flow_id").map { Activity.Problem(.hookFailed, of: $0, extra["step_id"]?.string ?? "") }
        default: nil
        }
    }

    private func run(_ member: String) -> Activity.Subject? {
        guard extra["is_dev"]?.bool != true else { return nil }
        return extra[member]?.identifier.map { .recipe($0) }
    }
}

extension Timestamp {
    public var hour: Int64 { milliseconds / 3_600_000 }
}
