extension ExperimentSet {
    /// Nil: no experiment or rollout of that slug has a say.
    public func state(of slug: String) -> State? { member(slug)?.state }
}
