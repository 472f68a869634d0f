import HTTPWire
import Testing

/// The result of a parser as comparable lines: `GET /a?b [body]`, `400 host`, `…` for an unfinished message.
struct Transcript {
    /// The way in which the bytes are split before they are parsed.
    enum Feeding: CaseIterable { case whole, halves, bytes, three }

    private(set) var lines: [String] = []
    /// The number of times that a client was told to continue.
    private(set) var proceeds = 0
    private var parser: RequestParser
    private var buffer = ReceiveBuffer()
    private let bodyLimit: Int

    init(_ bytes: [UInt8], _ feeding: Feeding, bodyLimit: Int = 1000, limits: WireLimits = WireLimits()) {
        parser = RequestParser(limits)
        self.bodyLimit = bodyLimit
        for piece in Self.cut(bytes, feeding) {
            buffer.append(piece)
            run()
        }
        if lines.last?.first?.isNumber != true && !(parser.isAtStart && buffer.isEmpty) { lines.append("…") }
    }

    private mutating func run() {
        guard lines.last?.first?.isNumber != true else { return }
        while true {
            switch parser.next(&buffer) {
            case .needsMore: return
            case .fault(let fault): return lines.append("\(fault.status) \(fault.code)")
            case .request(let request): lines.append(Self.line(request))
            case .head:
                do throws(WireFault) {
                    if try parser.admit(bodyLimit: bodyLimit, &buffer) { proceeds += 1 }
                } catch {
                    return lines.append("\(error.status) \(error.code)")
                }
            }
        }
    }

    static func line(_ request: Request) -> String {
        let method = request.method == .other ? "other" : request.method.name
        let query = request.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
        let body = request.body.isEmpty ? "" : " [\(String(decoding: request.body, as: UTF8.self))]"
        return "\(method) \(String(decoding: request.path, as: UTF8.self))\(query)\(body)"
    }

    private static func cut(_ bytes: [UInt8], _ feeding: Feeding) -> [ArraySlice<UInt8>] {
        let step =
            switch feeding {
            case .whole: max(bytes.count, 1)
            case .halves: max(bytes.count / 2, 1)
            case .three: 3
            case .bytes: 1
            }
        return stride(from: 0, to: bytes.count, by: step).map { bytes[$0..<min($0 + step, bytes.count)] }
    }
}

/// Bytes and their expected transcript, however they are split.
struct WireCase: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let expected: [String]

    init(_ name: String, _ text: String, _ expected: String...) {
        self.init(name, bytes: Array(text.utf8), expected)
    }

    init(_ name: String, bytes: [UInt8], _ expected: [String]) {
        testDescription = name
        self.bytes = bytes
        self.expected = expected
    }

    /// A GET with these header lines after Host.
    static func field(_ name: String, _ line: String, _ expected: String) -> WireCase {
        WireCase(name, "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", expected)
    }

    /// A GET with this request line.
    static func line(_ name: String, _ line: String, _ expected: String) -> WireCase {
        WireCase(name, "\(line)\r\nHost: a\r\n\r\n", expected)
    }

    /// A chunked POST with this content.
    static func chunked(_ name: String, _ content: String, _ expected: String...) -> WireCase {
        WireCase(
            name, bytes: Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(content)".utf8),
            expected)
    }
}
