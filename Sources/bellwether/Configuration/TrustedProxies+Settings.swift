internal import HTTPWire

extension TrustedProxies {
    /// Reads `http.trusted_proxies` and `http.forwarded_field`, and adds errors to the faults.
    init(_ texts: [String], field name: String, _ faults: inout [String]) {
        var blocks: [AddressBlock] = []
        for text in texts {
            do {
                blocks.append(try AddressBlock(text))
            } catch {
                faults.append("http.trusted_proxies: \"\(text)\": \(error.reason)")
            }
        }
        let field = Field.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
        if field == nil {
            let known = Field.allCases.map(\.rawValue).joined(separator: " nor ")
            faults.append("http.forwarded_field is neither \(known): \(name)")
        }
        self.init(blocks, field: field ?? .xForwardedFor)
    }
}
