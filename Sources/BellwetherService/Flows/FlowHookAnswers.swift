internal import BellwetherJSON
public import Surveys

/// The answers of the hooks that one request has called (docs/reference/flows.md#hooks): at most one before the
/// respondent leaves a step, and one before the next step is shown.
public struct FlowHookAnswers: Sendable {
    /// Nil: it was not asked.
    public private(set) var advance: FlowHookResult?
    private var overrides: [(step: String, override: FlowOverride, banner: String?)] = []
    /// Events of the calls, for the log. They come before the events of the action.
    public private(set) var events: [FlowEvent] = []
    /// False: no hook is asked, each proceeds.
    private let areAsked: Bool

    public init(areAsked: Bool = true) {
        self.areAsked = areAsked
        if !areAsked { advance = .proceed(data: [:]) }
    }

    public mutating func add(_ answer: HookCaller.Answer, to exchange: FlowExchange) {
        events += answer.events
        switch answer.result {
        case .advance(let result): advance = result
        case .render(let override, let banner): overrides.append((exchange.step.id, override, banner))
        }
    }

    /// Applies the answer of the render hook to the step that the run has come to.
    ///
    /// - Returns: the call that has to be made first; nil: none.
    func complete(_ move: inout FlowMove, in flow: FlowDefinition, from before: FlowRun?) -> FlowExchange? {
        guard areAsked else { return nil }
        if let exchange = move.renderExchange(flow, from: before, asked: overrides.map(\.step)) { return exchange }
        guard let step = move.run.stepID, before?.path != move.run.path,
            let answer = overrides.last(where: { $0.step.hasSameBytes(as: step) })
        else { return nil }
        move.run.override(step, with: answer.override)
        if let banner = answer.banner, move.banner == nil { move.banner = FlowBanner(.error, banner) }
        return nil
    }
}
