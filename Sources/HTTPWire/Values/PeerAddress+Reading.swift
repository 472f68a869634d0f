extension PeerAddress {
    /// The maximum length of a text: the longest form of RFC 4291, with the last 32 bits as an IPv4 address.
    private static let longest = 45

    /// Reads an address without a port. It is four decimal numbers without leading zeros (some parsers read `010` as
    /// 8), or any form of RFC 4291 2.2. Zones are refused, because they have a meaning on one machine only.
    public init?(text: ArraySlice<UInt8>) {
        guard (2...Self.longest).contains(text.count) else { return nil }
        if let address = Self.ipv4(text) {
            self = .ipv4(address, port: 0)
        } else if let (high, low) = Self.ipv6(text) {
            self = .ipv6(high, low, port: 0)
        } else {
            return nil
        }
    }

    /// The same address, with an IPv4-mapped IPv6 address (RFC 4291 2.5.5.2) converted to IPv4.
    public var canonical: PeerAddress {
        guard case .ipv6(0, let low, let port) = self, low >> 32 == 0xffff else { return self }
        return .ipv4(UInt32(truncatingIfNeeded: low), port: port)
    }

    private static func ipv4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            var number: UInt32 = 0
            for byte in part {
                guard byte.isDigit else { return nil }
                number = number * 10 + UInt32(byte - 0x30)
            }
            guard number <= 255 else { return nil }
            address = address << 8 | number
        }
        return address
    }

    private static func ipv6(_ text: ArraySlice<UInt8>) -> (high: UInt64, low: UInt64)? {
        let colon = UInt8(ascii: ":")
        var groups: [UInt16] = []
        var gap: Int?
        var rest = text
        if rest.starts(with: [colon, colon]) {
            gap = 0
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let part = rest.prefix { $0 != colon }
            rest = rest[part.endIndex...]
            if rest.isEmpty, let address = ipv4(part) {
                groups += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
                break
            }
            guard let group = group(part), groups.count < 8 else { return nil }
            groups.append(group)
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst()
            if rest.first == colon {
                guard gap == nil else { return nil }
                gap = groups.count
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }
        return halves(groups, gap)
    }

    private static func group(_ part: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(part.count) else { return nil }
        var number: UInt16 = 0
        for byte in part {
            guard let digit = byte.hexValue else { return nil }
            number = number << 4 | UInt16(digit)
        }
        return number
    }

    /// `::` stands for at least one group of zeros.
    private static func halves(_ groups: [UInt16], _ gap: Int?) -> (high: UInt64, low: UInt64)? {
        var groups = groups
        if let gap {
            guard groups.count < 8 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        let half = { (run: ArraySlice<UInt16>) in run.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        return (half(groups[..<4]), half(groups[4...]))
    }
}
