internal import BellwetherCore
internal import BellwetherService

/// What one kind of client asks, and all that was worked out for it so far. Belongs to one thread and one snapshot.
final class PollContext {
    let asked: AskedContext
    let app: AppSnapshot
    let verdicts: ContextVerdicts
    /// Of all that enrollments depend on, the client apart: what a `Settlement` is bound to. It outlasts a publish that
    /// leaves experiments and rollouts alone, and what a client says anew of itself as long as no recipe makes anything
    /// of that. Never 0, which is no settlement's.
    private(set) lazy var digest = verdicts.enrollmentDigest(in: app.edition) | 1
    private(set) lazy var localizer = app.strings.localizer(for: targeting.requestedLocale)

    init(_ asked: AskedContext, app: AppSnapshot, outcomes: TriggerOutcomes) {
        self.asked = asked
        self.app = app
        verdicts = ContextVerdicts(
            catalog: app.catalog, context: asked.targeting, outcomes: outcomes, truths: asked.truths)
    }

    var targeting: TargetingContext { asked.targeting }
    var surfaces: [String] { asked.surfaces }
    var countdown: PollSampling.Countdown { asked.countdown }
}
