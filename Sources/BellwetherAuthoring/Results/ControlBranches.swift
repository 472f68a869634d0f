internal import BellwetherCore
public import BellwetherJSON

/// The branches of an experiment, in the order of its document, and the control messages in each
/// (docs/reference/messaging.md#controls).
public struct ControlBranches: Sendable {
    private struct Control {
        let key: String
        let surface: String?
    }

    /// The slugs of the branches.
    public let branches: [String]
    /// The branch with which the others are compared; nil if the document names none.
    public let reference: String?
    private let controls: [[Control]]
    /// The messages that each branch shows.
    private let shown: [[String]]

    /// - Parameter document: the document of a recipe; nil, or one without branches, has no controls.
    public init(_ document: JSONValue?, slug: String) {
        let entries = document?.object?["branches"]?.array ?? []
        branches = entries.compactMap { $0.object?["slug"]?.string }
        reference = document?.object?["referenceBranch"]?.string
        var (controls, shown): ([[Control]], [[String]]) = ([], [])
        for entry in entries where entry.object?["slug"]?.string != nil {
            var (ownControls, ownShown): ([Control], [String]) = ([], [])
            for (key, message) in RecipeMessages.messages(of: ["branches": [entry]]) {
                let key = ExperimentSubstitution.replace(in: key, slug: slug)
                if message.object?["is-control"] == true {
                    ownControls.append(Control(key: key, surface: message.object?["surface"]?.string))
                } else {
                    ownShown.append(key)
                }
            }
            controls.append(ownControls)
            shown.append(ownShown)
        }
        (self.controls, self.shown) = (controls, shown)
    }

    /// The controls of a message by their branches: the control with the message's key, else the only one on its
    /// surface. A branch that shows the message has no control of it.
    public func controls(of message: String, on surface: String) -> [(branch: String, key: String)] {
        branches.indices.compactMap { index in
            guard !shown[index].contains(bytesOf: message) else { return nil }
            let controls = controls[index]
            let onSurface = controls.filter { $0.surface.map(surface.hasSameBytes) ?? true }
            let control =
                controls.first { $0.key.hasSameBytes(as: message) } ?? (onSurface.count == 1 ? onSurface[0] : nil)
            return control.map { (branches[index], $0.key) }
        }
    }

    /// Whether no branch shows the message, and some branch has it as a control.
    public func isOnlyControl(_ message: String) -> Bool {
        !shown.joined().contains(bytesOf: message)
            && controls.contains { $0.contains { $0.key.hasSameBytes(as: message) } }
    }
}
