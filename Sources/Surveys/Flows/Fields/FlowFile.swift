internal import BellwetherBase
public import BellwetherJSON

/// A file from a respondent: an image or a signature (docs/reference/flows.md#files).
public struct FlowFile: Sendable, Hashable {
    public let reference: FileReference
    public let content: [UInt8]

    /// - Parameter type: a media type such as `image/png`.
    public init(type: String, content: [UInt8]) {
        let digits = SHA256.hash(content).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        reference = FileReference(type: type, bytes: content.count, sha256: Identifier(digits.joined()))
        self.content = content
    }
}

/// The value that replaces a file in runs, events and hooks: `{type, bytes, sha256}`.
public struct FileReference: Sendable, Hashable {
    /// A media type such as `image/png`, as the respondent's app states it.
    public let type: String
    public let bytes: Int
    /// 64 hexadecimal digits in lower case.
    public let sha256: Identifier

    init(type: String, bytes: Int, sha256: Identifier) { (self.type, self.bytes, self.sha256) = (type, bytes, sha256) }

    /// Reads a reference; nil for a value that `json` does not write.
    public init?(_ json: JSONValue) {
        guard let json = json.object, json.count == 3, let type = json["type"]?.string,
            let bytes = json["bytes"]?.integer, let sha256 = json["sha256"]?.identifier, bytes >= 0,
            Self.isDigest(sha256.text)
        else { return nil }
        self.init(type: type, bytes: Int(bytes), sha256: sha256)
    }

    public var json: JSONValue {
        ["type": .string(type), "bytes": .integer(Int64(bytes)), "sha256": .string(sha256)]
    }

    /// Whether a text is 64 hexadecimal digits in lower case.
    public static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= $0 }
    }

    /// All values inside a value that have the form of a reference.
    fileprivate static func all(in value: JSONValue) -> Set<FileReference> {
        if let reference = FileReference(value) { return [reference] }
        switch value {
        case .array(let values): return values.reduce(into: []) { $0.formUnion(all(in: $1)) }
        case .object(let members): return members.reduce(into: []) { $0.formUnion(all(in: $1.value)) }
        default: return []
        }
    }
}

extension FlowStep {
    /// Replaces the files in a response by references, and returns the files. A text that is no data URL stays.
    func takeFiles(outOf response: inout JSONObject) -> [FlowFile] {
        var files: [FlowFile] = []
        for field in fields where field.type.isFile {
            guard let file = response[field.id]?.string.flatMap({ DataURL($0) })?.file else { continue }
            response[field.id] = file.reference.json
            files.append(file)
        }
        return files
    }
}

extension FlowDefinition {
    /// The same for all responses of a run, because a stored run may contain files as data URLs.
    public func takeFiles(outOf run: inout FlowRun) -> [FlowFile] {
        var files: [FlowFile] = []
        for step in steps where step.fields.contains(where: { $0.type.isFile }) {
            guard var answers = run.responses[step.id]?.object else { continue }
            let taken = step.takeFiles(outOf: &answers)
            if !taken.isEmpty { run.responses[step.id] = .object(answers) }
            files += taken
        }
        run.files += files.map(\.reference)
        return files
    }
}

extension FlowMove {
    /// Keeps the files to which the run's responses refer. A reference to any other file is an ordinary value.
    mutating func keep(_ new: [FlowFile]) {
        guard !new.isEmpty || !run.files.isEmpty else { return }
        var used = FileReference.all(in: .array([.object(run.responses), .object(run.asideResponses)]))
        run.files = (run.files + new.map(\.reference)).filter { used.remove($0) != nil }
        files = (files + new).filter { run.files.contains($0.reference) }
    }
}
