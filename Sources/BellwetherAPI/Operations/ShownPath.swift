/// A path as a log may show it: percent-encoded as it came, without what names a person or opens a door.
///
/// Of a route's parameters only those are shown that owners name things by; any other, and a new one, is shown by its name
/// alone. A path that meets no route may be a misspelled one: it is cut where ids begin.
enum ShownPath {
    private static let shown: Set<String> = [
        "{app}", "{slug}", "{locale}", "{name}", "{n}", "{revision}", "{collection}", "{application_id}", "{ping}",
        "{version}",
    ]
    /// What follows these is somebody's.
    private static let foreign: Set<String> = ["clients", "submit"]

    static func text(_ path: ArraySlice<UInt8>, of pattern: String?) -> String {
        var segments = String(decoding: path, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false)
        if let pattern {
            let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
            for (place, name) in names.enumerated().prefix(segments.count) {
                if name.hasPrefix("{"), !shown.contains(String(name)) { segments[place] = name }
            }
        } else if let place = segments.firstIndex(where: { foreign.contains($0.lowercased()) }) {
            segments = segments.prefix(place + 1) + ["..."]
        }
        return segments.map { $0.hasPrefix("bw_") ? "{token}" : String($0) }.joined(separator: "/")
    }
}
