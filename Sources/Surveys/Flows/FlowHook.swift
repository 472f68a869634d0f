public import BellwetherJSON

/// A call of the owner's server between two steps, or for a message of a chat (docs/reference/flows.md#hooks). This
/// library makes no calls: `FlowAdvance.needs` means that a call is due.
public struct FlowHook: Sendable, Hashable {
    public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
        /// The respondent stays, and sees the hook's error text, or else the daemon's own sentence.
        case block
        case proceed
    }

    /// The occasion of a call. The defaults of the hook's keys follow from it.
    public enum Occasion: String, Sendable, Hashable, CaseIterable {
        case advance
        case render
        case chat
    }

    public let url: String
    public let timeoutMilliseconds: Int
    public let retryCount: Int
    /// The headers, whose values may have templates. A stored hook may have a name that `HookHeader` does not allow.
    public let headers: [String: String]
    /// The replies, by turn, that replace the webhook of a chat in a developer's trial; nil if there are none.
    let sampleReplies: [ChatReply]?
    /// The error text; nil if it is blank.
    public let errorText: String?
    public let failurePolicy: FailurePolicy
    /// The location in the recipe.
    public let pointer: JSONPointer

    /// The names of the secrets in its headers.
    public var secretNames: [String] { headers.values.flatMap { HookHeader.secretNames(in: $0) } }

    /// Reads a hook; nil for a hook that is switched off, or that cannot be called.
    init?(_ reader: JSONReader?, _ occasion: Occasion) {
        guard let reader, reader.object() != nil else { return nil }
        let isEnabled = reader.optional("enabled")?.bool() ?? true
        let url = Self.address(isEnabled ? reader.required("webhook_url") : reader.optional("webhook_url"))
        let defaultTimeout = occasion == .chat ? 15_000 : 10_000
        timeoutMilliseconds =
            reader.optional("timeout_ms")?.integer(in: 1...60_000).map { Int($0) } ?? defaultTimeout
        retryCount = reader.optional("retry_count")?.integer(in: 0...3).map { Int($0) } ?? 0
        errorText = reader.optional("error_text")?.string()?.unlessBlank
        failurePolicy =
            reader.optional("on_failure")?.choice(FailurePolicy.self) ?? (occasion == .render ? .proceed : .block)
        headers = Self.headers(reader.optional("headers"))
        sampleReplies = occasion == .chat ? Self.sampleReplies(reader.optional("sample_replies")) : nil
        pointer = reader.pointer
        guard isEnabled, let url else { return nil }
        self.url = url
    }

    private static let maximumSampleReplies = 100

    /// Reads the sample replies. Each is a possible response of the webhook.
    private static func sampleReplies(_ reader: JSONReader?) -> [ChatReply]? {
        guard let reader, let elements = reader.elements() else { return nil }
        if elements.count > maximumSampleReplies {
            reader.finding("length", "sample_replies has at most \(maximumSampleReplies) elements")
        }
        return elements.prefix(maximumSampleReplies).compactMap { element in
            do throws(ChatFailure) {
                ChatReply.checkTypes(of: element)
                guard element.value.object != nil else { return nil }
                return try ChatReply(element.value.encoded)
            } catch {
                element.finding("value", error.message)
                return nil
            }
        }
    }

    private static func address(_ reader: JSONReader?) -> String? {
        guard let reader, let url = reader.webAddress() else { return nil }
        if url.contains("{{") {
            reader.finding("url", "templates expand in headers and bodies only")
            return nil
        }
        return url
    }

    private static func headers(_ reader: JSONReader?) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in reader?.members() ?? [] {
            if let fault = HookHeader.fault(of: name) { value.finding("header", fault) }
            guard let text = value.string() else { continue }
            if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
                value.finding("header", "a header has no control characters")
            }
            if HookHeader.hasOpenSecret(name, text) {
                value.findings.warn(
                    "secret", at: value.pointer,
                    "the value seems to be a secret: put it in the settings, and write {{secret.NAME}} here")
            }
            headers[name] = text
        }
        return headers
    }
}

/// The result of an advance hook (docs/reference/flows.md#hooks).
public enum FlowHookResult: Sendable, Hashable {
    /// The data is merged into the step's answers.
    case proceed(data: JSONObject)
    case block(message: String?)
    case stay(message: String?)
    case skip(toStep: Identifier, data: JSONObject)

    /// Reads the body of a hook's response; nil if it is no object with a text `action`.
    public init?(_ body: JSONValue) {
        guard let object = body.object, let action = object["action"]?.string else { return nil }
        let message = object["message"]?.string?.unlessBlank
        let data = object["data"]?.object ?? [:]
        switch action {
        case "block": self = .block(message: message)
        case "stay": self = .stay(message: message)
        case "skip_to", "skip_to_with_data":
            self = object["target_step_id"]?.identifier.map { .skip(toStep: $0, data: data) } ?? .proceed(data: data)
        // An unknown action proceeds.
        default: self = .proceed(data: data)
        }
    }

    /// The result without the parts that repeat a password of the action (`FlowDefinition.secrets`).
    public func without(_ secrets: FlowSecrets) -> FlowHookResult {
        func kept(_ message: String?) -> String? { message.flatMap { secrets.isRepeated(by: $0) ? nil : $0 } }
        return switch self {
        case .proceed(let data): .proceed(data: secrets.removed(from: data))
        case .block(let message): .block(message: kept(message))
        case .stay(let message): .stay(message: kept(message))
        case .skip(let target, let data): .skip(toStep: target, data: secrets.removed(from: data))
        }
    }
}

/// The outcome of the call of a step's hook, by the hook's occasion.
public enum FlowHookOutcome: Sendable, Hashable {
    case advance(FlowHookResult)
    /// The override with which the step is shown. If it is empty, the step is shown as its author wrote it.
    case render(FlowOverride, banner: String?)

    /// The maximum size of an override in bytes. A larger one is ignored.
    private static let overrideBytes = 65_536

    /// Reads the body of the response, without the parts that repeat a password of the request; nil if it has no
    /// meaning, which is a failure.
    public init?(_ body: JSONValue, _ exchange: FlowHookCall) {
        guard exchange.occasion == .render else {
            guard let result = FlowHookResult(body) else { return nil }
            self = .advance(result.without(exchange.secrets))
            return
        }
        let isUsable = body.object != nil && body.encoded.count <= Self.overrideBytes
        let override = FlowOverride(isUsable ? body.object ?? [:] : [:])
        self = .render(override.without(exchange.secrets), banner: nil)
    }

    /// The outcome after a failure, as the hook's policy defines it. A blocked respondent sees the hook's error text.
    /// After a failed render hook, the step is still shown.
    public init(failureOf exchange: FlowHookCall, in language: FlowLanguage = .english) {
        let isBlocked = exchange.hook.failurePolicy == .block
        switch exchange.occasion {
        case .render:
            let text = exchange.hook.errorText ?? language.say(.hookFailed)
            self = .render(FlowOverride([:]), banner: isBlocked ? text : nil)
        case .advance, .chat: self = .advance(isBlocked ? .block(message: nil) : .proceed(data: [:]))
        }
    }

    /// The name as the hook spells it.
    public var name: String {
        switch self {
        case .advance(.proceed(let data)): data.isEmpty ? "proceed" : "proceed_with_data"
        case .advance(.block): "block"
        case .advance(.stay): "stay"
        case .advance(.skip): "skip_to"
        case .render(let override, _): override.isEmpty ? "proceed" : "override"
        }
    }
}

extension String {
    fileprivate var unlessBlank: String? { isBlank ? nil : self }
}
