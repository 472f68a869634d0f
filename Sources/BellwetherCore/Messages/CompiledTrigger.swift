public import JEXL

/// A trigger's expression, compiled once for all triggers with the same text.
public final class CompiledTrigger: Sendable {
    public let source: String
    /// The compiled expression. It is a failure only for a document that was published before a rule became stricter;
    /// the trigger then never holds.
    public let expression: Result<CompiledExpression, JEXLError>
    /// `CompiledExpression.isDecidedByContext`.
    public let isDecidedByContext: Bool
    /// The events that a client must have had for the trigger to hold, and for it to be false.
    let needs: EventNeeds

    init(_ source: String, in scope: AudienceScope = .none) {
        self.source = source
        do {
            let expression = try CompiledExpression(source, in: scope)
            self.expression = .success(expression)
            isDecidedByContext = expression.isDecidedByContext
            needs = EventNeeds(of: expression)
        } catch {
            self.expression = .failure(error)
            isDecidedByContext = true
            needs = EventNeeds()
        }
    }

    /// The trigger's outcome, as selection needs it.
    func outcome(in environment: TriggerEnvironment) -> TriggerOutcome {
        guard case .success(let expression) = expression else { return .failed }
        do {
            return try expression.isTrue(in: environment) ? .holds : .doesNotHold
        } catch {
            return .failed
        }
    }

    /// The outcome with the error, for explanations.
    func verdict(in environment: TriggerEnvironment) -> TriggerVerdict {
        switch expression {
        case .failure(let error): return .failed(error)
        case .success(let expression):
            do {
                return try expression.isTrue(in: environment) ? .holds : .doesNotHold
            } catch {
                return .failed(error)
            }
        }
    }
}

public enum TriggerOutcome: UInt8, Sendable, Hashable, BitwiseCopyable {
    case holds
    case doesNotHold
    /// The expression has an error, or its value is no boolean. The message is not eligible, and nothing is reported
    /// (docs/reference/messaging.md#selection).
    case failed
}

/// An outcome with its reason.
public enum TriggerVerdict: Sendable, Hashable {
    case holds
    case doesNotHold
    case failed(JEXLError)
}
