internal import BellwetherBase
internal import BellwetherJSON

/// The type `image_picker`: an image as a data URL.
struct ImagePickerField: FieldType {
    private let maximumBytes: Int
    private let types: [String]?

    init(_ keys: FieldKeys) {
        let megabytes = keys.number("max_size_mb") ?? 10
        maximumBytes = Int(min(max(megabytes * 1_048_576, 0), Double(DataURL.maximumBytes)))
        types = keys.texts("allowed_types")?.map { $0.lowercased() }
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let file = check.file(answer, expected: .image) else { return }
        guard file.type.hasPrefix("image/") else { return check.fault(.pattern, .image) }
        if let types, !types.contains(where: { Self.means($0, file.type) }) {
            check.fault(
                .notOption, .imageTypes, types.joined(separator: ", "),
                bounds: ["types": .array(types.map { .string($0) })])
        }
        if file.bytes > maximumBytes {
            check.fault(.tooLong, .imageBytes, "\(maximumBytes)", bounds: ["max": .integer(Int64(maximumBytes))])
        }
    }

    /// Whether a name means a media type. `image/jpeg`, `jpeg`, `.jpeg`, `jpg` and `image/*` all mean JPEG.
    private static func means(_ name: String, _ type: String) -> Bool {
        let own = name.hasPrefix("image/") ? String(name.dropFirst(6)) : name
        let bare = own.hasPrefix(".") ? String(own.dropFirst()) : own
        return bare == "*" || type == "image/" + (bare == "jpg" ? "jpeg" : bare)
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isFile: Bool { true }
}

/// The type `signature`: `signature:` with the number of strokes, or an image as a data URL.
struct SignatureField: FieldType {
    init(_ keys: FieldKeys) {}

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        let prefix = "signature:"
        if let text = answer.string, text.hasPrefix(prefix) {
            let strokes = text.utf8.dropFirst(prefix.utf8.count)
            if (1...9).contains(strokes.count), strokes.allSatisfy(\.isDigit) { return }
        }
        guard let file = check.file(answer, expected: .signature) else { return }
        if file.bytes > DataURL.maximumBytes {
            check.fault(.tooLong, .signatureBytes, "\(DataURL.maximumBytes)")
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isFile: Bool { true }
}

/// The type `color`: `#RRGGBB`, or `#RRGGBBAA` if `show_opacity` is true.
struct ColorField: FieldType {
    private let hasOpacity: Bool

    init(_ keys: FieldKeys) { hasOpacity = keys.bool("show_opacity") ?? false }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        let digits = text.utf8.dropFirst()
        let isLong = hasOpacity && digits.count == 8
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        if text.utf8.first != UInt8(ascii: "#") || !(digits.count == 6 || isLong) || !isHexadecimal {
            check.fault(.pattern, hasOpacity ? .colorWithOpacity : .color)
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
}

/// A file as a text: `data:TYPE;base64,BYTES`.
struct DataURL {
    /// The maximum size of an image or a signature after decoding.
    static let maximumBytes = 512 << 10

    let file: FlowFile

    init?(_ text: String) {
        guard text.hasPrefix("data:"), let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let head = text[..<comma].dropFirst(5).lowercased()
        guard head.hasSuffix(";base64"), let bytes = Base64.decode(String(text[comma...].dropFirst())), !bytes.isEmpty
        else { return nil }
        let type = head.prefix { $0 != ";" }
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        let isType = parts.allSatisfy { name in
            (1...127).contains(name.utf8.count) && name.utf8.allSatisfy(ASCIISet.mediaTypeName.contains)
        }
        guard parts.count == 2, isType else { return nil }
        file = FlowFile(type: String(type), content: bytes)
    }
}
