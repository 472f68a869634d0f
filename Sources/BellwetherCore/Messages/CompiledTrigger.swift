public import JEXL

/// A trigger's expression, compiled once for all the triggers that share its text.
public final class CompiledTrigger: Sendable {
    public let source: String
    /// A failure only where a document was published before a rule became stricter: the trigger then never holds.
    public let expression: Result<CompiledExpression, JEXLError>
    /// `CompiledExpression.isDecidedByContext`.
    public let isDecidedByContext: Bool
    /// The events that a client must have had for it to hold, and for it to be false.
    let needs: EventNeeds

    init(_ source: String) {
        self.source = source
        do {
            let expression = try CompiledExpression(source)
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

    /// The same with the error, for people.
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
    /// An error, or a value that is no boolean: the message is not eligible, and nothing is reported
    /// (docs/reference/messaging.md#selection).
    case failed
}

/// An outcome with its reason.
public enum TriggerVerdict: Sendable, Hashable {
    case holds
    case doesNotHold
    case failed(JEXLError)
}
