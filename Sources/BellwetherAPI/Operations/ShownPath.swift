/// A path as a log may show it: percent-encoded as it came, without what names a person or opens a door.
///
/// Of a route's parameters only those are shown that owners name things by; any other, and a new one, is shown by its
/// name alone. A path that meets no route may be a misspelled one: it is cut where ids begin.
enum ShownPath {
    private static let shown: Set<String> = [
        "{app}", "{slug}", "{locale}", "{name}", "{n}", "{revision}", "{collection}", "{application_id}", "{ping}",
        "{version}", "{page}",
    ]
    /// What follows these is somebody's.
    private static let foreign: Set<String> = ["clients", "runs", "submit"]

    /// Of each route, by its place in `Routes.all`, the segments that are not shown.
    private static let hidden = Routes.all.map { route in
        segments(route.pattern).enumerated().filter { $0.element.hasPrefix("{") && !shown.contains(String($0.element)) }
    }
    private static let token = Array("/bw_".utf8)

    static func text(_ path: ArraySlice<UInt8>, of endpoint: Endpoint?) -> String {
        let text = String(decoding: path, as: UTF8.self)
        // Most paths are shown as they are.
        if let endpoint, hidden[endpoint.position].isEmpty, !path.contains(token) { return text }
        var segments = segments(text)
        if let endpoint {
            for (place, name) in hidden[endpoint.position] where place < segments.count { segments[place] = name }
        } else if let place = segments.firstIndex(where: { foreign.contains($0.lowercased()) }) {
            segments = segments.prefix(place + 1) + ["..."]
        }
        return segments.map { $0.hasPrefix("bw_") ? "{token}" : $0 }.joined(separator: "/")
    }

    private static func segments(_ text: String) -> [Substring] {
        text.split(separator: "/", omittingEmptySubsequences: false)
    }
}
