internal import BellwetherBase
public import BellwetherJSON

/// What an app on a device needs around a decision. The daemon does the same by itself, with what it remembers between
/// polls.
extension CompiledApp {
    /// What a client says of itself, as the body of a poll has it: `{locale, attribute: value, …}`. What
    /// the daemon would refuse is a fault and left out.
    public func context(_ attributes: JSONValue, findings: Findings = Findings()) -> TargetingContext {
        TargetingContext.read(JSONReader(attributes, findings: findings), manifest: manifest).context
    }

    /// A message in the context's language.
    public func presentation(of message: Message, in context: TargetingContext) -> Presentation {
        Presentation(
            message, manifest: manifest, localizer: strings.localizer(for: context.requestedLocale),
            requestedLocale: context.requestedLocale)
    }

    /// What pressing a message opens; nil when it has no action. Its URL may have in it what triggers may ask for: what
    /// the context says, and what follows from the client's id and the time. `uuid` makes the one that the URL asks
    /// for, if it does.
    public func action(of message: Message, for query: PollQuery, uuid: () -> String) -> ResolvedAction? {
        let known = TriggerEnvironment(
            context: query.context, clientID: query.clientID, behavior: BehaviorHistory(), branches: .none,
            now: query.now)
        return ResolvedAction(message, manifest: manifest, value: known.value(of:), uuid: uuid)
    }
}
