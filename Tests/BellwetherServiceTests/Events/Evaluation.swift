import BellwetherCore
import BellwetherJSON
import JEXL

func evaluate(_ expression: String, in environment: TriggerEnvironment) throws -> JSONValue {
    try CompiledExpression(expression).evaluate(in: environment)
}
