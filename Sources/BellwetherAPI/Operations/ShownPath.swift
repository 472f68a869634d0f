internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService

/// A path as a log may show it: percent-encoded as it came, without what names a person or opens a door.
///
/// Only those parameters of a route are shown that are names given by owners; any other, and a new one, is shown by its
/// name alone. A path that meets no route may be a misspelled one: it is cut where ids begin. A segment of whatever
/// meaning is not shown if it looks like a token's text, whose prefix may be any.
enum ShownPath {
    private static let shown: Set<String> = [
        "{app}", "{slug}", "{locale}", "{name}", "{n}", "{revision}", "{collection}", "{application_id}", "{ping}",
        "{version}", "{page}",
    ]
    /// The segment after one of these is an id of a person.
    private static let foreign: Set<String> = ["clients", "runs", "submit"]

    /// The segments that are not shown of each route, by its index in `Routes.all`.
    private static let hidden = Routes.all.map { route in
        segments(route.pattern).enumerated().filter { $0.element.hasPrefix("{") && !shown.contains(String($0.element)) }
    }

    static func text(_ path: ArraySlice<UInt8>, of endpoint: Endpoint?) -> String {
        let text = String(decoding: path, as: UTF8.self)
        // Most paths are shown as they are.
        if let endpoint, hidden[endpoint.position].isEmpty, !hasToken(path) { return text }
        var segments = segments(text)
        if let endpoint {
            for (index, name) in hidden[endpoint.position] where index < segments.count { segments[index] = name }
        } else if let index = segments.firstIndex(where: { foreign.contains($0.lowercased()) }) {
            segments = segments.prefix(index + 1) + ["..."]
        }
        return segments.map { hasToken($0.utf8) ? "{token}" : $0 }.joined(separator: "/")
    }

    /// Whether there is a run of characters of base64url as long as a token's, with a capital letter in it. A slug of
    /// that length has none; that a token has none is less likely than one in a billion.
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
