internal import BellwetherJSON
internal import Surveys

/// The results of the hooks that one request has called (docs/reference/flows.md#hooks). At most one is called before
/// the respondent leaves a step, and one before the next step is shown.
struct FlowHookOutcomes: Sendable {
    private var calls: [(exchange: FlowHookCall, answer: HookCaller.Outcome)] = []
    /// Whether hooks are called. If not, each proceeds.
    private let areAsked: Bool

    init(areAsked: Bool = true) { self.areAsked = areAsked }

    mutating func add(_ answer: HookCaller.Outcome, to exchange: FlowHookCall) { calls.append((exchange, answer)) }

    /// The events of the calls, for the log. They precede the events of the action.
    var events: [FlowEvent] { calls.flatMap(\.answer.events) }

    /// The result of the hook that is called before the respondent leaves a step; nil if it was not called.
    var advance: FlowHookResult? {
        for call in calls { if case .advance(let result) = call.answer.result { return result } }
        return areAsked ? nil : .proceed(data: [:])
    }

    /// Whether a hook of this kind returned data, so that the run may be larger.
    func hasData(_ occasion: FlowHook.Occasion) -> Bool {
        calls.contains { call in
            guard call.exchange.occasion == occasion else { return false }
            return switch call.answer.result {
            case .advance(.proceed(let data)), .advance(.skip(_, let data)): !data.isEmpty
            case .advance: false
            case .render(let override, _): !override.isEmpty
            }
        }
    }

    /// Counts the results of hooks of this kind as failures.
    mutating func refuse(_ occasion: FlowHook.Occasion) {
        calls = calls.map { ($0.exchange, $0.exchange.occasion == occasion ? $0.answer.refused() : $0.answer) }
    }

    /// Applies the result of the render hook to the step that the run has reached.
    ///
    /// - Parameter secrets: the passwords in the action.
    /// - Returns: the call that has to be made first; nil if there is none.
    func complete(
        _ move: inout FlowMove, in flow: FlowDefinition, from before: FlowRun?, secrets: FlowSecrets = FlowSecrets()
    ) -> FlowHookCall? {
        guard areAsked else { return nil }
        let overrides = calls.compactMap { call -> (step: Identifier, override: FlowOverride, banner: String?)? in
            guard case .render(let override, let banner) = call.answer.result else { return nil }
            return (call.exchange.step.id, override, banner)
        }
        if let exchange = move.renderExchange(flow, from: before, asked: overrides.map(\.step), secrets: secrets) {
            return exchange
        }
        guard let step = move.run.stepID, before?.path != move.run.path,
            let answer = overrides.last(where: { $0.step == step })
        else { return nil }
        move.run.override(step, with: answer.override)
        if let banner = answer.banner, move.banner == nil { move.banner = FlowBanner(.error, banner) }
        return nil
    }
}
