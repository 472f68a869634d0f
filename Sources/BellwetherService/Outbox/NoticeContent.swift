internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The content of a notice, in the formats that receivers choose (docs/reference/http-api.md#notices).
struct NoticeContent {
    let occasion: AppNotice.Occasion
    let app: Identifier
    /// One sentence for a chat.
    let sentence: String
    /// The members of the JSON format between `app` and `at`.
    let members: JSONObject
    /// The page of the console about it; nil if the daemon does not know its address.
    let link: String?

    /// The rows of the outbox for the receivers of such a notice.
    func webhooks(
        of manifest: Manifest?, at now: Timestamp, id: (_ number: Int) -> Identifier = { _ in WebhookID.make() }
    ) -> [OutboxRow] {
        (manifest?.notices ?? []).filter { $0.occasions.contains(occasion) }.enumerated().map { number, receiver in
            OutboxRow(
                id: id(number), app: app, url: receiver.url, secretName: receiver.secretName,
                body: body(receiver.format, at: now).encoded, createdAt: now)
        }
    }

    private func body(_ format: AppNotice.Format, at now: Timestamp) -> JSONValue {
        switch format {
        case .text: return ["text": .string(ResponseNotice.escaped(link.map { "\(sentence) \($0)" } ?? sentence))]
        case .json:
            var body: JSONObject = ["type": .string(occasion.rawValue), "app": .string(app)]
            for (name, value) in members { body[name] = value }
            body["at"] = .string(now.rfc3339)
            if let link { body["link"] = .string(link) }
            return .object(body)
        }
    }

    /// The address of a page of the app in the console; nil without the public address of the daemon.
    static func link(_ publicURL: String?, _ app: Identifier, _ path: String) -> String? {
        publicURL.map { "\($0)/console/a/\(PercentEncoding.queryValue(app.text))/\(path)" }
    }
}
