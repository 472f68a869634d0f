internal import ArgumentParser
internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import JEXL

/// `bellwether jexl`: evaluates an expression, or with `--batch` one on each line
/// (docs/reference/http-api.md#the-command-jexl).
struct EvaluateExpression: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jexl", abstract: "Evaluate a JEXL expression.",
        discussion: """
            With --batch, standard input holds one object a line, {"expression", "context"?, "declared"?, "events"?, \
            "segments"?, "lists"?, "answers"?, "now"?}, and standard output gets one line for each: {"value"} or \
            {"error"}.
            """)

    @Option(help: ArgumentHelp("The context, a JSON object.", valueName: "json"))
    var context = "{}"

    @Flag(help: "The result must be a boolean, as a trigger's must.")
    var boolean = false

    @Flag(help: "Evaluate NDJSON from standard input.")
    var batch = false

    @Argument(help: "The expression.")
    var expression: String?

    func validate() throws {
        guard batch == (expression == nil) else {
            throw ValidationError("Give an expression, or --batch and expressions on standard input.")
        }
    }

    func run() throws {
        if batch {
            return try StandardOutput.answerLines { ExpressionRequest.answer(line: $0, isBoolean: boolean) }
        }
        let request: JSONObject = ["expression": .string(expression ?? "")]
        let answer = ExpressionRequest.answer(request, context: context, isBoolean: boolean)
        guard let value = answer["value"] else {
            let error = answer["error"]?.object
            let location = error?["offset"]?.integer.map { " at byte \($0)" } ?? ""
            StandardError.write("\(error?["kind"]?.string ?? "")\(location): \(error?["message"]?.string ?? "")")
            throw ExitCode(1)
        }
        try StandardOutput.writeLine(value.text)
    }
}

/// The request for one evaluation, from one line.
struct ExpressionRequest {
    private struct InputError: Error {
        let message: String
    }

    static func answer(line: [UInt8], isBoolean: Bool) -> JSONValue {
        do {
            guard let request = try JSONValue(parsing: line).object else {
                return .object(failure("input", "the line is not an object"))
            }
            return .object(answer(request, context: nil, isBoolean: isBoolean))
        } catch {
            return .object(failure("input", error.message))
        }
    }

    /// `context` is a JSON text that replaces the request's context.
    static func answer(_ request: JSONObject, context: String?, isBoolean: Bool) -> JSONObject {
        do {
            var request = request
            if let context { request["context"] = try JSONValue(parsing: context) }
            let (source, scope, environment) = try read(request)
            let expression = try CompiledExpression(source, in: scope)
            let value: JSONValue =
                isBoolean ? .bool(try expression.isTrue(in: environment)) : try expression.evaluate(in: environment)
            return ["value": value]
        } catch let error as JEXLError {
            return ["error": error.json]
        } catch let error as InputError {
            return failure("input", error.message)
        } catch let error as JSONError {
            return failure("input", "the context is not JSON: \(error.message)")
        } catch {
            return failure("input", "\(error)")
        }
    }

    private static func failure(_ kind: String, _ message: String) -> JSONObject {
        ["error": ["kind": .string(kind), "message": .string(message)]]
    }

    private static func read(_ request: JSONObject) throws -> (String, AudienceScope, ExpressionEnvironment) {
        let findings = Findings()
        let reader = JSONReader(.object(request), findings: findings)
        let source = reader.required("expression")?.string()
        let context = reader.optional("context").map { $0.object() } ?? [:]
        let now = try instant(request["now"]) ?? Clock.system.now()
        let declared =
            reader.optional("declared").map {
                EventDeclaration.readAll($0.value, at: $0.pointer, findings: findings)
            } ?? [:]
        findings.settle()
        let derived = DerivedEvents(declared)
        var behavior = BehaviorHistory()
        for event in reader.optional("events")?.elements() ?? [] {
            let name = event.required("name")?.string()
            let count = event.optional("count").map { $0.integer(in: 0...Int64.max) } ?? 1
            let properties = event.optional("properties").map { ClientEvent.properties($0) } ?? [:]
            let at = try instant(event.value.object?["at"]) ?? now
            let received = try instant(event.value.object?["received"]) ?? at
            guard let name = name.map({ Identifier($0) }), let count, let properties, !derived.contains(name)
            else { continue }
            let own = BehaviorEvent(
                name: name, count: UInt64(count), properties: declared[name]?.read(properties) ?? [:],
                deriving: derived)
            switch ClientEvent.Time(at, now: received, remembered: EventPolicy().dedupSeconds) {
            case .now: _ = behavior.record(own, now: received, of: derived)
            case .past(let then): _ = behavior.record(own, at: then, now: received, of: derived)
            case .future, .tooOld: break
            }
        }
        let segments = reader.optional("segments")?.members() ?? []
        let scope = AudienceScope(
            segments: segments.reduce(into: [:]) { $0[$1.key] = $1.value.string() })
        let lists = reader.optional("lists")?.elements() ?? []
        var environment = ExpressionEnvironment(
            context: context ?? [:], behavior: behavior, derived: derived, now: now)
        environment.lists = Set(lists.compactMap { $0.string() })
        environment.answers = reader.optional("answers").map { $0.object() ?? [:] } ?? [:]
        if let fault = findings.faults.first { throw InputError(message: "\(fault.pointer): \(fault.message)") }
        guard let source else { throw InputError(message: "the expression is missing") }
        return (source, scope, environment)
    }

    private static func instant(_ value: JSONValue?) throws -> Timestamp? {
        guard let value, value != .null else { return nil }
        guard let text = value.string, let time = Timestamp(rfc3339: text) else {
            throw InputError(message: "\(value.text) is no RFC 3339 time")
        }
        return time
    }
}

/// The environment of a single expression: identifiers come only from the context.
struct ExpressionEnvironment: JEXLEnvironment {
    let context: JSONObject
    let behavior: BehaviorHistory
    let derived: DerivedEvents
    let now: Timestamp
    var lists: Set<String> = []
    var answers: JSONObject = [:]

    func value(of identifier: String) -> JSONValue? {
        switch AudienceScope.parts(of: identifier) {
        case (.list, let name)?: .bool(lists.contains(name))
        case (.answer, let name)?: (answers[name] ?? .null).asRead
        case (.segment, _)?: nil
        case nil: context[identifier]
        }
    }

    func result(of query: EventQuery) -> Double { behavior.result(of: query, at: now, of: derived) }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
}

extension JSONValue {
    /// An answer as expressions read it: numbers are floats.
    fileprivate var asRead: JSONValue {
        switch self {
        case .integer, .unsigned: .number(double ?? 0)
        default: self
        }
    }
}
