public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// A message that may be shown now, in the person's language.
public struct OfferedMessage: Sendable, Hashable {
    public let key: Identifier
    public let surface: Identifier
    public let style: Identifier
    public let revision: Int
    public let priority: Int
    /// The maximum number of displays; nil if another rule limits them.
    public let maxDisplayCount: Int?
    public let displayCount: Int
    /// The recipe and the branch in which the client sees the message.
    public let enrollment: EnrolledBranch?
    public let locale: String
    public let isRightToLeft: Bool
    public let title: String?
    public let text: String
    public let buttonLabel: String?
    public let action: Action?
    public let presents: PresentedRecipe?
    public let microsurvey: MicrosurveyPresentation?

    /// The link that a press opens.
    public struct Action: Sendable, Hashable {
        public let name: String?
        public let url: String
        public let uuid: String?
    }

    /// A recipe that a press opens.
    public struct PresentedRecipe: Sendable, Hashable {
        public let kind: ContentKind
        public let slug: String
        public let revision: Int
        /// Whether the first page asks for consent.
        public let showsConsent: Bool
    }
}

/// A message of a poll (docs/reference/http-api.md#the-poll).
extension OfferedMessage {
    init?(_ json: JSONValue) {
        guard let key = json["key"].identifier, let surface = json["surface"].identifier,
            let style = json["style"].identifier, let text = json["text"].string
        else { return nil }
        (self.key, self.surface, self.style, self.text) = (key, surface, style, text)
        revision = Int(json["revision"].integer ?? 0)
        priority = Int(json["priority"].integer ?? 0)
        maxDisplayCount = json["max_display_count"].integer.map { Int($0) }
        displayCount = Int(json["display_count"].integer ?? 0)
        enrollment = json["experiment"].identifier.flatMap { slug in
            json["branch"].identifier.map { EnrolledBranch(slug: slug, branch: $0) }
        }
        locale = json["locale"].string ?? ""
        isRightToLeft = json["dir"] == "rtl"
        (title, buttonLabel) = (json["title"].string, json["button_label"].string)
        action = json["action"]["url"].string.map { url in
            Action(name: json["action"]["name"].string, url: url, uuid: json["action"]["uuid"].string)
        }
        presents = PresentedRecipe(json["presents"])
        microsurvey = MicrosurveyPresentation(json["microsurvey"])
    }
}

extension OfferedMessage.PresentedRecipe {
    init?(_ json: JSONValue) {
        guard let kind = json["kind"].string.flatMap(ContentKind.init), let slug = json["slug"].string else {
            return nil
        }
        (self.kind, self.slug, revision) = (kind, slug, Int(json["revision"].integer ?? 0))
        showsConsent = json["shows_consent"].bool ?? true
    }
}

/// A message that the device has chosen.
extension OfferedMessage {
    init(_ offer: Offer, of compiledApp: CompiledApp, for query: PollQuery, uuid: () -> String) {
        let message = offer.message
        let shown = compiledApp.presentation(of: message, in: query.context)
        (key, surface, style) = (message.key, message.facts.surface, message.definition.style)
        (revision, priority, displayCount) = (message.revision, message.style.priority, offer.displayCount)
        maxDisplayCount = message.facts.pacing?.display == nil ? message.style.maxDisplayCount : nil
        enrollment = message.facts.enrollment
        (locale, isRightToLeft) = (shown.locale, shown.isRightToLeft)
        (title, text, buttonLabel) = (shown.title, shown.text, shown.buttonLabel)
        action = compiledApp.action(of: message, for: query, uuid: uuid).map {
            Action(name: $0.name?.text, url: $0.url, uuid: $0.uuid)
        }
        presents = message.definition.presents.flatMap { slug in
            guard let content = compiledApp.catalog.content(slug), let kind = content.kind else { return nil }
            return PresentedRecipe(
                kind: kind, slug: slug.text, revision: content.revision,
                showsConsent: message.definition.showsConsent)
        }
        microsurvey = shown.microsurvey
    }

    /// The facts for the ledger of a device that does not have the message's recipe.
    var facts: MessageFacts {
        var facts = MessageFacts(
            key: key, surface: surface, isControl: false, kind: microsurvey == nil ? .plain : .microsurvey,
            maxDisplayCount: maxDisplayCount ?? .max, experiment: enrollment?.slug)
        facts.enrollment = enrollment
        facts.isPresenting = presents != nil
        return facts
    }
}

/// Messages, and where they come from.
public struct MessageOffers: Sendable, Hashable {
    public let messages: [OfferedMessage]
    public let source: Source
    /// The seconds since the daemon gave the answer or the bundle; nil without either. A clock that went back gives 0.
    public let ageSeconds: Int64?

    public enum Source: String, Sendable, Hashable {
        /// The daemon's answer to the last poll, after which nothing happened here.
        case daemon
        /// The device decided from the last bundle of the daemon, or from the one that is built into the app.
        case device
        /// The daemon's last answer, without the messages that have ended here since. There is no bundle.
        case cache
        /// There is neither an answer nor a bundle, or the person has not consented.
        case none
    }

    public init(messages: [OfferedMessage], source: Source, ageSeconds: Int64?) {
        (self.messages, self.source, self.ageSeconds) = (messages, source, ageSeconds)
    }
}
