public import BellwetherJSON

extension CompiledExpression {
    /// The value, or the error, of a constant expression. Its evaluation reads no identifier, event or bucket, and
    /// calls no transform of the environment. Nil for any other expression.
    public var constant: Result<JSONValue, JEXLError>? {
        let probe = Probe()
        let result: Result<JSONValue, JEXLError>
        do {
            result = .success(try evaluate(in: probe))
        } catch {
            result = .failure(error)
        }
        return probe.wasAsked ? nil : result
    }

    /// An environment without any facts. It records whether it was queried.
    private final class Probe: JEXLEnvironment {
        private(set) var wasAsked = false

        func value(of identifier: String) -> JSONValue? {
            wasAsked = true
            return nil
        }

        func result(of query: EventQuery) -> Double {
            wasAsked = true
            return 0
        }

        func hash48(ofJSON text: [UInt8]) -> UInt64 {
            wasAsked = true
            return 0
        }

        func transform(
            _ name: String, subject: JSONValue, arguments: [JSONValue]
        ) throws(TransformFailure) -> JSONValue? {
            wasAsked = true
            return nil
        }
    }
}
