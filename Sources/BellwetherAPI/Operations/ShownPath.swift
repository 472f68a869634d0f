internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService

/// A path in the form that a log may show: percent-encoded as it came, without parts that identify a person or grant
/// access.
///
/// A route's parameter is shown only if owners choose its values. Any other parameter, including a future one, appears
/// as its name. A path without a route may be misspelled, so it is cut where ids begin. No segment that looks like a
/// token's text is shown; a token may have any prefix.
enum ShownPath {
    private static let shown: Set<String> = [
        "{app}", "{slug}", "{locale}", "{name}", "{n}", "{revision}", "{collection}", "{application_id}", "{ping}",
        "{version}", "{page}",
    ]
    /// The segments after which an id of a person follows.
    private static let foreign: Set<String> = ["clients", "runs", "submit"]

    /// The hidden segments of each route, by its index in `Routes.all`.
    private static let hidden = Routes.all.map { route in
        segments(route.pattern).enumerated().filter { $0.element.hasPrefix("{") && !shown.contains(String($0.element)) }
    }

    static func text(_ path: ArraySlice<UInt8>, of endpoint: Endpoint?) -> String {
        let text = String(decoding: path, as: UTF8.self)
        // Most paths are shown unchanged.
        if let endpoint, hidden[endpoint.position].isEmpty, !hasToken(path) { return text }
        var segments = segments(text)
        if let endpoint {
            for (index, name) in hidden[endpoint.position] where index < segments.count { segments[index] = name }
        } else if let index = segments.firstIndex(where: { foreign.contains($0.lowercased()) }) {
            segments = segments.prefix(index + 1) + ["..."]
        }
        return segments.map { hasToken($0.utf8) ? "{token}" : $0 }.joined(separator: "/")
    }

    /// Whether the text has a run of base64url characters as long as a token's, with a capital letter in it. A slug of
    /// that length has no capital letter. The probability that a token has none is less than one in a billion.
    private static func hasToken(_ text: some Sequence<UInt8>) -> Bool {
        var (length, hasCapital) = (0, false)
        for byte in text {
            guard ASCIISet.base64URL.contains(byte) else {
                (length, hasCapital) = (0, false)
                continue
            }
            length += 1
            hasCapital = hasCapital || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if length >= TokenText.randomCount, hasCapital { return true }
        }
        return false
    }

    private static func segments(_ text: String) -> [Substring] {
        text.split(separator: "/", omittingEmptySubsequences: false)
    }
}
