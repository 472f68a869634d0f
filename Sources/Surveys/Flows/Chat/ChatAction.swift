public import BellwetherJSON

/// An action of a respondent in a conversation.
public enum ChatAction: Sendable, Hashable {
    case say(String)
    /// Sends the text of a quick reply, by its id.
    case choose(Identifier)
    case rate(Int64)
    /// Ends the conversation.
    case end

    /// Reads one of `text`, `quick_reply_id`, `rating` and `end`. Returns nil with a finding if the value is none of
    /// them.
    public init?(_ reader: JSONReader) {
        let given = ["text", "quick_reply_id", "rating", "end"].compactMap { key in
            reader.optional(key).map { (key: key, reader: $0) }
        }
        guard reader.object() != nil, given.count == 1, let (key, value) = given.first else {
            if reader.value.object != nil {
                reader.finding("required", "exactly one of text, quick_reply_id, rating and end is expected")
            }
            return nil
        }
        let action: ChatAction?
        switch key {
        case "text": action = value.string().map { .say($0) }
        case "quick_reply_id": action = value.identifier().map { .choose($0) }
        case "rating": action = value.integer().map { .rate($0) }
        default:
            if value.bool() == false { value.finding("value", "true is expected") }
            action = .end
        }
        guard let action else { return nil }
        self = action
    }
}
