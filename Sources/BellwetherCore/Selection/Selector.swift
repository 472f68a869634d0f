public import BellwetherJSON

/// Selects the messages that one client may see now: on each surface the first eligible message in the order of
/// selection.
public struct Selector {
    /// The variants of messages for the client's branches.
    public let variants: ClientVariants
    let facts: ClientFacts

    /// `memo` must belong to the catalog and the environment's context.
    public init(_ catalog: Catalog, environment: TriggerEnvironment, state: ClientState, memo: ContextMemo? = nil) {
        variants = environment.branches.variants(of: catalog)
        facts = ClientFacts(
            catalog, environment: environment, state: state, memo: memo ?? ContextMemo(for: catalog))
    }

    private init(_ selector: Selector, asking surface: Identifier?) {
        variants = selector.variants
        facts = selector.facts.asking(surface)
    }

    func asking(_ surface: Identifier?) -> Selector { Selector(self, asking: surface) }

    var catalog: Catalog { facts.catalog }
    public var environment: TriggerEnvironment { facts.environment }

    /// The selection of a surface: the first eligible message, and the controls that were counted before it.
    public func select(surface: Identifier) -> SurfaceSelection {
        var selection = SurfaceSelection()
        let (gates, pacedGates) = (Gate.ofSurface, Gate.ofSurfacePaced)
        for candidate in catalog.candidates.ofSurface(surface) where facts.hasRequiredEvent(of: candidate) {
            guard hasForm(candidate),
                facts.judgement(of: candidate, by: candidate.isPaced ? pacedGates : gates) == .holds
            else { continue }
            if ends(facts.message(of: candidate), &selection) { break }
        }
        return selection
    }

    /// Adds an offer of this response, which the caps of later surfaces then count.
    func note(offered message: Message) { facts.offered.append(message) }

    /// Adds an eligible message to the selection. Returns whether the selection ends. It ends if the message is shown,
    /// or if it is a control with `show-none`.
    private func ends(_ eligible: Message, _ selection: inout SurfaceSelection) -> Bool {
        guard eligible.facts.isControl else {
            selection.message = eligible
            return true
        }
        selection.controls.append(eligible)
        return catalog.onControl(for: variants) == .showNone
    }

    /// Whether the client has the message in this variant.
    func hasForm(_ candidate: Candidate) -> Bool {
        !candidate.isConditional || variants.meets(facts.message(of: candidate).requirements)
    }

    /// The client's messages in its variants, in the order of selection.
    var candidates: some Sequence<Candidate> { catalog.candidates.all.lazy.filter(hasForm) }

    /// The first reason why the message is not eligible, or `eligible`.
    func eligibility(of candidate: Candidate) -> Verdict {
        guard case .doesNotHold(let verdict) = facts.judgement(of: candidate, by: Gate.inOrder) else {
            return .eligible
        }
        return verdict
    }

    /// The eligibility of a message of the catalog.
    public func eligibility(of message: Message) -> Verdict {
        let position = catalog.messages.firstIndex { $0 === message }
        return position.map { eligibility(of: catalog.candidates.all[$0]) } ?? .malformed
    }

    /// The verdict of one trigger, for explanations.
    public func verdict(of use: TriggerUse) -> TriggerVerdict {
        catalog.triggers[use.expression].verdict(in: facts.environment)
    }
}

/// The outcome of a selection on one surface.
public struct SurfaceSelection: Sendable {
    public fileprivate(set) var message: Message?
    /// Controls that count as shown by this selection, in order.
    public fileprivate(set) var controls: [Message] = []
}
