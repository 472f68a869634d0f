public import BellwetherBase
public import BellwetherJSON

/// An event that a phone recorded itself and sent in a ping. It is added to the log unchanged
/// (docs/reference/events.md#submitted-pings).
public struct SubmittedEvent: Sendable, Hashable {
    public let category: Identifier
    public let name: Identifier
    public let extra: JSONObject
    /// The time by the phone's clock, within the accepted times.
    public let at: Timestamp

    public init(category: Identifier, name: Identifier, extra: JSONObject, at: Timestamp) {
        self.category = category
        self.name = name
        self.extra = extra
        self.at = at
    }

    /// The key of the message that the event concerns.
    public var messageKey: Identifier? {
        switch category {
        case "messaging": extra["message_key"]?.identifier
        case "microsurvey": extra["survey_id"]?.identifier
        default: nil
        }
    }

    /// The change that the event makes to the client; nil if there is none. Firefox for iOS and for Android use
    /// different names (docs/reference/events.md#submitted-pings).
    ///
    /// A tap on the sheet's close button changes nothing, because the phone records the message's dismissal after it.
    public var effect: SubmittedEffect? {
        switch (category, name) {
        case ("messaging", "shown"), ("messaging", "message_shown"): .displayed
        case ("messaging", "clicked"), ("messaging", "message_clicked"): .clicked
        case ("messaging", "dismissed"), ("messaging", "message_dismissed"): .dismissed
        case ("messaging", "expired"), ("messaging", "message_expired"): .expired
        case ("microsurvey", "submit_button_tapped"): extra["user_selection"]?.string.map { .answered($0) }
        default: nil
        }
    }
}

public enum SubmittedEffect: Sendable, Hashable {
    case displayed, clicked, dismissed, expired
    /// The selected option's text, in the phone's language.
    case answered(String)
}
