internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import Surveys

/// An action on a run of a flow, between whose transactions the owner's server may be called
/// (docs/reference/flows.md#one-action-after-another).
protocol FlowUseCase: Action {
    var app: AppSnapshot { get set }
    /// The slug of the run's recipe.
    var slug: Identifier { get }
    /// The revision that the run began with.
    var flow: FlowContent { get }
    /// The outcomes of the hooks that were called.
    var hooks: FlowHookOutcomes { get set }
    /// The id of the respondent's action; nil if it has none.
    var actionID: Identifier? { get }
    /// The outcome if the flow was paused, ended or deleted while the action waited.
    static var inactive: Outcome { get }
}

extension FlowUseCase {
    func perform(
        by driver: ActionDriver, for requester: Requester, _ completion: @escaping ActionDriver.Completion<Outcome>
    ) {
        var action = self
        action.hooks = FlowHookOutcomes(areAsked: driver.hooks != nil)
        driver.perform(action, for: requester, completion)
    }

    /// Whether the same person may answer the flow again.
    var repeats: Bool { app.recipes[slug]?.recipe.repeats != nil }

    /// Takes the app as it is now. Returns the outcome if the flow is no longer live.
    mutating func follow(_ apps: ActionDriver.Apps) -> Outcome? {
        guard let app = apps(app.name), app.recipes[slug]?.isLive == true else { return Self.inactive }
        self.app = app
        return nil
    }

    /// The call of a hook; the next action has its outcome.
    func calling(_ exchange: FlowHookCall, about run: Run) -> Need<Self> {
        .call { driver, requester, proceed in
            driver.hooks?.call(exchange, about: hookSubject(run, for: requester)) { outcome in
                guard let outcome else { return proceed(nil) }
                var next = self
                next.hooks.add(outcome, to: exchange)
                proceed(next)
            }
        }
    }

    func hookSubject(_ run: Run, for requester: Requester) -> HookSubject {
        HookSubject(
            run: run, flow: flow.definition, app: app.name, actionID: actionID, signingSecrets: app.signingSecrets,
            trace: requester.trace)
    }
}
