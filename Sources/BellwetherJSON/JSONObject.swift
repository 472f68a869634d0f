/// A JSON object: members in the order of the document, each key once.
///
/// Small objects are searched linearly. Objects with more than `indexThreshold` members have an index, so that reading
/// a document with many keys does not take quadratic time. Keys are compared byte for byte.
public struct JSONObject: Sendable, Hashable, Sequence {
    public typealias Element = (key: String, value: JSONValue)

    static let indexThreshold = 12

    private var members: [Element] = []
    private var positions: [Identifier: Int] = [:]

    public init() {}

    /// A repeated key keeps its first position and its last value.
    public init(_ elements: some Sequence<Element>) {
        for element in elements { self[element.key] = element.value }
    }

    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }
    public var keys: [String] { members.map(\.key) }

    public mutating func reserveCapacity(_ capacity: Int) { members.reserveCapacity(capacity) }

    public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }

    /// Setting nil removes the member; setting a new key appends it.
    public subscript(key: String) -> JSONValue? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (nil, let value?): append(key, value)
            case (let position?, nil):
                members.remove(at: position)
                if !positions.isEmpty { buildIndex() }
            case (nil, nil): break
            }
        }
    }

    private func position(of key: String) -> Int? {
        guard positions.isEmpty else { return positions[Identifier(key)] }
        return members.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    private mutating func append(_ key: String, _ value: JSONValue) {
        members.append((key: key, value: value))
        if !positions.isEmpty {
            positions[Identifier(key)] = members.count - 1
        } else if members.count > Self.indexThreshold {
            buildIndex()
        }
    }

    private mutating func buildIndex() {
        positions.removeAll(keepingCapacity: true)
        guard members.count > Self.indexThreshold else { return }
        for (position, member) in members.enumerated() { positions[Identifier(member.key)] = position }
    }

    enum Adoption {
        case object(JSONObject)
        /// The index of the first member whose key occurred before.
        case repeated(Int)
    }

    /// Uses a document's members as they are, if no key occurs twice.
    static func adopting(_ members: [Element]) -> Adoption {
        var object = JSONObject()
        if members.count > indexThreshold {
            object.positions.reserveCapacity(members.count)
            for (position, member) in members.enumerated() {
                if object.positions.updateValue(position, forKey: Identifier(member.key)) != nil {
                    return .repeated(position)
                }
            }
        } else {
            for position in members.indices.dropFirst() {
                let key = members[position].key
                if members[..<position].contains(where: { $0.key.hasSameBytes(as: key) }) { return .repeated(position) }
            }
        }
        object.members = members
        return .object(object)
    }

    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        // Copies share storage and are equal without a comparison of their members.
        return left.isTriviallyIdentical(to: right) || left.members.allSatisfy { right[$0.key] == $0.value }
    }

    /// Whether both share their storage. They are then equal without a comparison.
    func isTriviallyIdentical(to other: JSONObject) -> Bool {
        count == other.count
            && members.withUnsafeBufferPointer { own in
                other.members.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
            }
    }

    public func hash(into hasher: inout Hasher) {
        // The order must not matter, so the hashes of members are combined by a commutative sum.
        var sum = 0
        for member in members {
            var one = Hasher()
            one.combine(Identifier(member.key))
            one.combine(member.value)
            sum &+= one.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}
