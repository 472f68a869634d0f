internal import BellwetherBase
internal import BellwetherJSON

/// `image_picker`: an image as a data URL.
struct ImagePickerField: FieldType {
    private let maximumBytes: Int
    private let types: [String]?

    init(_ keys: FieldKeys) {
        let megabytes = keys.number("max_size_mb") ?? 10
        maximumBytes = Int(min(max(megabytes * 1_048_576, 0), Double(DataURL.maximumBytes)))
        types = keys.texts("allowed_types")?.map { $0.lowercased() }
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        guard let file = DataURL(text), file.type.hasPrefix("image/") else {
            return check.fault(.pattern, "expected an image as a data URL in base64")
        }
        if let types, !types.contains(where: { Self.means($0, file.type) }) {
            check.fault(.notOption, "expected an image of the types \(types.joined(separator: ", "))")
        }
        if file.bytes.count > maximumBytes { check.fault(.tooLong, "an image has at most \(maximumBytes) bytes") }
    }

    /// `image/jpeg`, `jpeg`, `.jpeg`, `jpg` and `image/*` all mean JPEG.
    private static func means(_ name: String, _ type: String) -> Bool {
        let own = name.hasPrefix("image/") ? String(name.dropFirst(6)) : name
        let bare = own.hasPrefix(".") ? String(own.dropFirst()) : own
        return bare == "*" || type == "image/" + (bare == "jpg" ? "jpeg" : bare)
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
}

/// `signature`: `signature:` with the number of strokes, or an image as a data URL.
struct SignatureField: FieldType {
    init(_ keys: FieldKeys) {}

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        let prefix = "signature:"
        let strokes = text.utf8.dropFirst(prefix.utf8.count)
        if text.hasPrefix(prefix), (1...9).contains(strokes.count), strokes.allSatisfy(\.isDigit) { return }
        guard let file = DataURL(text) else {
            return check.fault(.pattern, "expected signature:STROKES, or an image as a data URL in base64")
        }
        if file.bytes.count > DataURL.maximumBytes {
            check.fault(.tooLong, "a signature has at most \(DataURL.maximumBytes) bytes")
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
}

/// `color`: `#RRGGBB`, or `#RRGGBBAA` if `show_opacity`.
struct ColorField: FieldType {
    private let hasOpacity: Bool

    init(_ keys: FieldKeys) { hasOpacity = keys.bool("show_opacity") ?? false }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        let digits = text.utf8.dropFirst()
        let isLong = hasOpacity && digits.count == 8
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        if text.utf8.first != UInt8(ascii: "#") || !(digits.count == 6 || isLong) || !isHexadecimal {
            check.fault(.pattern, hasOpacity ? "expected #RRGGBB or #RRGGBBAA" : "expected #RRGGBB")
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
}

/// A file in a text: `data:TYPE;base64,BYTES`.
struct DataURL {
    /// Of an image or a signature, decoded.
    static let maximumBytes = 512 << 10

    let type: String
    let bytes: [UInt8]

    init?(_ text: String) {
        guard text.hasPrefix("data:"), let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let head = text[..<comma].dropFirst(5).lowercased()
        guard head.hasSuffix(";base64"), let bytes = Base64.decode(String(text[comma...].dropFirst())), !bytes.isEmpty
        else { return nil }
        let type = head.prefix { $0 != ";" }
        guard type.split(separator: "/", omittingEmptySubsequences: false).count == 2 else { return nil }
        (self.type, self.bytes) = (String(type), bytes)
    }

    /// What telemetry and hooks have instead of the file.
    var summary: JSONValue {
        let digits = SHA256.hash(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [
            "type": .string(type), "bytes": .integer(Int64(bytes.count)), "sha256": .string(digits.joined()),
        ]
    }
}
