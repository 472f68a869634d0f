public import BellwetherJSON

/// The appearance of an app in the widget and in the daemon's own pages (docs/web.md#theming): colours for light and
/// dark mode, the corner radius, and fonts. A recipe's theme overrides the manifest's, member by member.
public struct Theme: Sendable, Hashable {
    /// The theme as its author wrote it. Clients get it in this form.
    public let document: JSONObject

    private static let schemes: KeyValuePairs<String, KeyValuePairs<String, String>> = [
        "light": ["accent": "#1a5fb4", "ground": "#ffffff", "text": "#1d2430"],
        "dark": ["accent": "#8ab4f8", "ground": "#1b1f27", "text": "#eceff4"],
    ]
    private static let maximumRadius = 40.0

    /// Reads a theme; nil for a value that is no object. The reader's findings contain all faults, and warnings for
    /// texts with little contrast.
    public init?(_ reader: JSONReader) {
        guard let document = reader.object() else { return nil }
        reader.refuseUnknown(keys: ["light", "dark", "radius", "font"])
        for (name, defaults) in Self.schemes { Self.checkColors(reader.optional(name), defaults) }
        if let radius = reader.optional("radius"), let value = radius.number(),
            !(0...Self.maximumRadius).contains(value)
        {
            radius.finding("range", "a radius is from 0 to \(Int(Self.maximumRadius)) pixels")
        }
        if let font = reader.optional("font"), let names = font.string(length: 1...200), !Self.isFontStack(names) {
            font.finding("font", "expected names of fonts with commas between")
        }
        self.document = document
    }

    private init(document: JSONObject) { self.document = document }

    /// Merges a recipe's theme over the manifest's.
    public static func merged(_ theme: Theme?, over other: Theme?) -> Theme? {
        guard let theme, let other else { return theme ?? other }
        var document = other.document
        for (key, value) in theme.document {
            guard let own = value.object, var under = document[key]?.object else {
                document[key] = value
                continue
            }
            for (name, color) in own { under[name] = color }
            document[key] = .object(under)
        }
        return Theme(document: document)
    }

    private static func checkColors(_ reader: JSONReader?, _ defaults: KeyValuePairs<String, String>) {
        guard let reader, reader.object() != nil else { return }
        reader.refuseUnknown(keys: Set(defaults.map { Identifier($0.key) }))
        var colors: [String: Color] = [:]
        for (name, usual) in defaults {
            guard let own = reader.optional(name) else {
                colors[name] = Color(usual)
                continue
            }
            guard let text = own.string() else { continue }
            colors[name] = Color(text)
            if colors[name] == nil { own.finding("color", "expected #RRGGBB or #RGB") }
        }
        guard let ground = colors["ground"] else { return }
        for name in ["text", "accent"] {
            guard let color = colors[name] else { continue }
            let tenths = Int(color.contrast(to: ground) * 10)
            guard tenths < 45 else { continue }
            reader.findings.warn(
                "contrast", at: reader.pointer.appending(name),
                "the contrast of \(name) and ground is \(tenths / 10).\(tenths % 10):1; a text needs 4.5:1")
        }
    }

    /// Whether a text contains only letters, digits, spaces, hyphens, quotation marks and commas, so that it can only
    /// be a list of names.
    private static func isFontStack(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x80 || " -_,'\"".unicodeScalars.contains(scalar)
                || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        }
    }
}

/// An sRGB colour without opacity.
private struct Color {
    /// The components, from 0 to 255.
    private let parts: [Int]

    init?(_ text: String) {
        guard text.first == "#" else { return nil }
        let digits = text.dropFirst().map { $0.isASCII ? $0.hexDigitValue : nil }.compactMap(\.self)
        guard digits.count == text.count - 1 else { return nil }
        switch digits.count {
        case 3: parts = digits.map { $0 * 17 }
        case 6: parts = [0, 2, 4].map { digits[$0] * 16 + digits[$0 + 1] }
        default: return nil
        }
    }

    /// The contrast ratio of WCAG 2.2, from 1 to 21.
    func contrast(to other: Color) -> Double {
        let (low, high) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (high + 0.05) / (low + 0.05)
    }

    private var luminance: Double {
        let linear = parts.map { part in
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : Self.power((share + 0.055) / 1.055)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// A number from 0 to 1 to the power of 2.4. It is the square times the fifth root of the square, which Newton's
    /// method computes.
    private static func power(_ base: Double) -> Double {
        let square = base * base
        var root = 1.0
        for _ in 0..<40 { root -= (root * root * root * root * root - square) / (5 * root * root * root * root) }
        return square * root
    }
}
