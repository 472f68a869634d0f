internal import CYAML

/// A part of a YAML document and the line where it begins, from 1.
struct YAMLNode {
    indirect enum Content {
        /// `isPlain`: the text has no quotation marks and is not a block.
        case scalar(String, isPlain: Bool)
        case list([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    let content: Content
    let tag: String?
    let line: Int

    /// The prefix of YAML's own tags, which are written as `!!`.
    static let prefix = "tag:yaml.org,2002:"
}

/// The reason why a text cannot be read as a YAML document.
struct YAMLFault: Error {
    let sentence: String
    let line: Int
}

/// Reads one YAML document from the events of libyaml.
///
/// The cost is linear in the length of the text. Nodes are neither hashed nor compared, and an alias shares its
/// anchor's node. So a document with nested aliases costs no more than its text. The depth is bounded.
struct YAMLDocument {
    /// The maximum depth. Settings are four levels deep.
    private static let maximumDepth = 32
    /// The allowed tags: `!`, and YAML's own tags for the types of settings.
    private static let tags = Set(["!"] + ["str", "int", "bool", "null", "seq", "map"].map { YAMLNode.prefix + $0 })

    private let events: YAMLEvents
    private var anchors: [String: YAMLNode] = [:]

    /// The root node; nil for a text without a document.
    static func read(_ bytes: [UInt8]) throws(YAMLFault) -> YAMLNode? {
        let events = YAMLEvents(bytes)
        var document = YAMLDocument(events: events)
        _ = try events.next()
        guard case .documentStart = try events.next().kind else { return nil }
        let root = try document.node(from: try events.next(), depth: 1)
        _ = try events.next()
        let last = try events.next()
        guard case .streamEnd = last.kind else {
            throw YAMLFault(sentence: "a second YAML document begins here; a file has one", line: last.line)
        }
        return root
    }

    private init(events: YAMLEvents) { self.events = events }

    private mutating func node(from event: YAMLEvents.Event, depth: Int) throws(YAMLFault) -> YAMLNode {
        guard depth <= Self.maximumDepth else {
            throw YAMLFault(sentence: "the nesting is deeper than \(Self.maximumDepth) levels", line: event.line)
        }
        if let tag = event.tag, !Self.tags.contains(tag) {
            throw YAMLFault(sentence: "the tag \(tag.shown) is not supported", line: event.line)
        }
        let content: YAMLNode.Content
        switch event.kind {
        case .alias(let name):
            guard let node = anchors[name] else {
                throw YAMLFault(sentence: "the alias *\(name.shown) has no anchor before it", line: event.line)
            }
            return YAMLNode(content: node.content, tag: node.tag, line: event.line)
        case .scalar(let text, let isPlain): content = .scalar(text, isPlain: isPlain)
        case .listStart: content = .list(try elements(depth: depth))
        case .mappingStart: content = .mapping(try members(depth: depth))
        case .end, .documentStart, .streamEnd, .other:
            throw YAMLFault(sentence: "a value is missing", line: event.line)
        }
        let node = YAMLNode(content: content, tag: event.tag, line: event.line)
        if let anchor = event.anchor { anchors[anchor] = node }
        return node
    }

    private mutating func elements(depth: Int) throws(YAMLFault) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while let event = try nextPart() { elements.append(try node(from: event, depth: depth + 1)) }
        return elements
    }

    private mutating func members(depth: Int) throws(YAMLFault) -> [(key: YAMLNode, value: YAMLNode)] {
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        while let event = try nextPart() {
            let key = try node(from: event, depth: depth + 1)
            members.append((key, try node(from: try events.next(), depth: depth + 1)))
        }
        return members
    }

    /// The next event; nil at the end of the list or mapping.
    private func nextPart() throws(YAMLFault) -> YAMLEvents.Event? {
        let event = try events.next()
        if case .end = event.kind { return nil }
        return event
    }
}

/// The events that libyaml's parser reports for a text, one after another.
private final class YAMLEvents {
    enum Kind {
        case documentStart, streamEnd
        case alias(String)
        case scalar(String, isPlain: Bool)
        case listStart, mappingStart
        /// The end of a list or a mapping.
        case end
        /// The start of the stream, or the end of a document.
        case other
    }

    struct Event {
        let kind: Kind
        var anchor: String?
        var tag: String?
        let line: Int
    }

    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    /// The text, to which libyaml keeps a pointer.
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let isReady: Bool

    init(_ bytes: [UInt8]) {
        input = .allocate(capacity: max(bytes.count, 1))
        _ = input.initialize(from: bytes)
        isReady = yaml_parser_initialize(parser) == 1
        if isReady { yaml_parser_set_input_string(parser, input.baseAddress, bytes.count) }
    }

    deinit {
        if isReady { yaml_parser_delete(parser) }
        parser.deallocate()
        input.deallocate()
    }

    func next() throws(YAMLFault) -> Event {
        var event = yaml_event_t()
        guard isReady, yaml_parser_parse(parser, &event) == 1 else { throw fault }
        defer { yaml_event_delete(&event) }
        let line = Int(event.start_mark.line) + 1
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return Event(kind: .documentStart, line: line)
        case YAML_STREAM_END_EVENT: return Event(kind: .streamEnd, line: line)
        case YAML_ALIAS_EVENT: return Event(kind: .alias(Self.text(event.data.alias.anchor) ?? ""), line: line)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return Event(
                kind: .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE),
                anchor: Self.text(scalar.anchor), tag: Self.text(scalar.tag), line: line)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            return Event(kind: .listStart, anchor: Self.text(start.anchor), tag: Self.text(start.tag), line: line)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            return Event(kind: .mappingStart, anchor: Self.text(start.anchor), tag: Self.text(start.tag), line: line)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return Event(kind: .end, line: line)
        default: return Event(kind: .other, line: line)
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    /// The reason why the parser stopped.
    private var fault: YAMLFault {
        guard isReady, let problem = parser.pointee.problem else {
            return YAMLFault(sentence: "there is no memory to read it", line: 1)
        }
        let context = parser.pointee.context.map { String(cString: $0) + ": " } ?? ""
        return YAMLFault(sentence: "this is not YAML: \(context)\(String(cString: problem))", line: problemLine)
    }

    /// The line of the problem. For bytes that are no characters, libyaml reports only the offset. The end of a text is
    /// reported as the line after the last one, so it is limited to the last line.
    private var problemLine: Int {
        let isReading = parser.pointee.error == YAML_READER_ERROR
        let text = isReading ? input.prefix(Int(parser.pointee.problem_offset)) : input.dropLast()
        let lines = text.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return isReading ? lines : min(Int(parser.pointee.problem_mark.line) + 1, lines)
    }
}

extension String {
    /// A short text in one line, for sentences that quote a part of a file.
    var shown: String {
        let kept = unicodeScalars.prefix(80).map { $0.isPrintable ? Character($0) : "\u{FFFD}" }
        return String(kept) + (unicodeScalars.count > 80 ? "…" : "")
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
        default: true
        }
    }
}
