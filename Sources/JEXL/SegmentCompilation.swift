/// Compiles the segments of a scope: each one once, after those that it reads.
struct SegmentCompilation {
    private let sources: [String: String]
    private let attributes: Set<AudienceScope.Word>
    private var results: [String: Result<CompiledExpression, JEXLError>] = [:]
    /// The segments that are not compiled yet, with the names of those that each one reads.
    private var pending: [String: [String]] = [:]

    private init(_ sources: [String: String], _ attributes: Set<AudienceScope.Word>) {
        (self.sources, self.attributes) = (sources, attributes)
    }

    static func results(
        of sources: [String: String], _ attributes: Set<AudienceScope.Word>
    ) -> [String: Result<CompiledExpression, JEXLError>] {
        var compilation = SegmentCompilation(sources, attributes)
        for name in sources.keys { compilation.compileAlone(name) }
        for name in sources.keys { compilation.compile(name) }
        return compilation.results
    }

    /// Compiles a segment that reads no other one.
    private mutating func compileAlone(_ name: String) {
        guard let source = sources[name] else { return }
        do throws(JEXLError) {
            let expression = try CompiledExpression(source, in: AudienceScope(attributes: attributes))
            let others = expression.names(after: .segment).filter { sources[$0] != nil }
            if others.isEmpty { results[name] = .success(expression) } else { pending[name] = others }
        } catch {
            results[name] = .failure(error)
        }
    }

    /// Compiles a segment after those that it reads. The chain is on the heap, so its length is no limit.
    private mutating func compile(_ start: String) {
        var chain = [start]
        var open: Set<String> = [start]
        while let name = chain.last {
            guard let others = pending[name] else {
                chain.removeLast()
                continue
            }
            guard let other = others.first(where: { results[$0] == nil }) else {
                pending[name] = nil
                results[name] = result(of: name)
                chain.removeLast()
                continue
            }
            if open.insert(other).inserted {
                chain.append(other)
            } else {
                pending[other] = nil
                results[other] = .failure(
                    JEXLError(kind: .limit, message: "segment \(other) reads itself", offset: nil))
            }
        }
    }

    private func result(of name: String) -> Result<CompiledExpression, JEXLError> {
        let scope = AudienceScope(attributes: attributes, sources: sources, results)
        return Result { () throws(JEXLError) in try CompiledExpression(sources[name] ?? "", in: scope) }
    }
}
