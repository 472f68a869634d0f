internal import BellwetherCore
public import BellwetherJSON

/// The branches of an experiment, in the order of its document, and the control messages in each
/// (docs/reference/messaging.md#controls).
public struct ControlBranches: Sendable {
    private struct Control {
        let key: Identifier
        let surface: Identifier?
    }

    /// The slugs of the branches.
    public let branches: [Identifier]
    /// The branch with which the others are compared; nil if the document names none.
    public let reference: Identifier?
    private let controls: [[Control]]
    /// The messages that each branch shows.
    private let shown: [[Identifier]]

    /// - Parameter document: the document of a recipe; nil, or one without branches, has no controls.
    public init(_ document: JSONValue?, slug: Identifier) {
        let entries = document?.object?["branches"]?.array ?? []
        branches = entries.compactMap { $0.object?["slug"]?.identifier }
        reference = document?.object?["referenceBranch"]?.identifier
        var (controls, shown): ([[Control]], [[Identifier]]) = ([], [])
        for entry in entries where entry.object?["slug"]?.string != nil {
            var (ownControls, ownShown): ([Control], [Identifier]) = ([], [])
            for (key, message) in RecipeMessages.messages(of: ["branches": [entry]]) {
                let key = Identifier(ExperimentSubstitution.replace(in: key, slug: slug))
                if message.object?["is-control"] == true {
                    ownControls.append(Control(key: key, surface: message.object?["surface"]?.identifier))
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
    public func controls(of message: Identifier, on surface: Identifier) -> [(branch: Identifier, key: Identifier)] {
        branches.indices.compactMap { index -> (branch: Identifier, key: Identifier)? in
            guard !shown[index].contains(message) else { return nil }
            let controls = controls[index]
            let onSurface = controls.filter { $0.surface == nil || $0.surface == surface }
            let control =
                controls.first { $0.key == message } ?? (onSurface.count == 1 ? onSurface[0] : nil)
            return control.map { (branches[index], $0.key) }
        }
    }

    /// Whether no branch shows the message, and some branch has it as a control.
    public func isOnlyControl(_ message: Identifier) -> Bool {
        !shown.joined().contains(message)
            && controls.contains { $0.contains { $0.key == message } }
    }
}
