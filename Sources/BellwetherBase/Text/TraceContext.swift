/// The position of a request in a distributed trace: its fields `traceparent` and `tracestate`, as W3C Trace Context
/// defines them (docs/reference/http-api.md#traces).
///
/// Absent and invalid fields give none: no id is made up.
public struct TraceContext: Sendable, Hashable {
    /// 32 hexadecimal digits in lower case, not all of them 0.
    public let traceID: String
    /// The span of the sender: 16 digits, not all of them 0.
    public let parentID: String
    /// The flags that the specification defines: 1 is *sampled*, 2 is *random*. Others are not sent on.
    public let flags: UInt8
    /// The value of `tracestate` as it came; nil if there is none that can be sent on.
    public let state: String?

    /// The length of a value of version 00.
    private static let length = 55
    private static let definedFlags: UInt8 = 0b11
    private static let stateBytes = 512

    /// - Parameters:
    ///   - parent: the value of `traceparent`.
    ///   - state: the value of `tracestate`. Several lines of the field are joined by commas.
    /// - Returns: nil if `parent` is invalid. An invalid `state` is dropped.
    public init?(parent: ArraySlice<UInt8>, state: ArraySlice<UInt8>? = nil) {
        let hyphen = UInt8(ascii: "-")
        let start = parent.startIndex
        guard parent.count >= Self.length, [2, 35, 52].allSatisfy({ parent[start + $0] == hyphen }) else { return nil }
        let parts = [0..<2, 3..<35, 36..<52, 53..<55].map { parent[(start + $0.lowerBound)..<(start + $0.upperBound)] }
        guard parts.allSatisfy({ $0.allSatisfy(\.isLowerHexadecimal) }), parts[1...2].allSatisfy(\.hasOtherThanZeros)
        else { return nil }
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        switch texts[0] {
        case "ff": return nil
        case "00": guard parent.count == Self.length else { return nil }
        // A later version may append parts.
        default: guard parent.count == Self.length || parent[start + Self.length] == hyphen else { return nil }
        }
        (traceID, parentID) = (texts[1], texts[2])
        flags = (UInt8(texts[3], radix: 16) ?? 0) & Self.definedFlags
        self.state = state.flatMap { state in
            guard (1...Self.stateBytes).contains(state.count), state.allSatisfy(\.isVisibleOrBlank) else { return nil }
            return String(decoding: state, as: UTF8.self)
        }
    }

    /// The value of `traceparent` for a request that belongs to the same trace, in version 00.
    ///
    /// - Parameter span: the id of the new span; not 0.
    public func parent(span: UInt64) -> String {
        let digits = String(span, radix: 16)
        return parent(String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    }

    private func parent(_ span: String) -> String { "00-\(traceID)-\(span)-0\(flags)" }
}

/// The form in which stores keep it: `traceparent`, and after a space `tracestate`.
extension TraceContext {
    public var stored: String { parent(parentID) + (state.map { " " + $0 } ?? "") }

    public init?(stored: String) {
        let parts = stored.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Array($0)[...] }
        guard let parent = parts.first else { return nil }
        self.init(parent: parent, state: parts.count == 2 ? parts[1] : nil)
    }
}

extension UInt8 {
    fileprivate var isLowerHexadecimal: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
    fileprivate var isVisibleOrBlank: Bool { (0x20...0x7E).contains(self) || self == 0x09 }
}

extension ArraySlice<UInt8> {
    fileprivate var hasOtherThanZeros: Bool { contains { $0 != UInt8(ascii: "0") } }
}
