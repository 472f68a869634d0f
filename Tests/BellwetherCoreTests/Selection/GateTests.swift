import Testing

@testable import BellwetherCore

/// The lists of gates (docs/decisions/0052-one-function-decides-and-every-reader-walks-the-same-gates.md).
@Suite struct GateTests {
    @Test func `A poll judges every gate of a paced message but its surface`() {
        #expect(Set(Gate.ofSurfacePaced) == Set(Gate.allCases).subtracting([.surface]))
        #expect(Gate.ofSurfacePaced.count == Gate.allCases.count - 1)
        #expect(Gate.ofSurfacePaced.starts(with: Gate.ofSurface))
    }

    @Test func `The reasons of a gate are told in its place`() {
        #expect(Gate.inOrder == Gate.allCases)
    }
}
