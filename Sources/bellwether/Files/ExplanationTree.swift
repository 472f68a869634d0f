internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// An explanation as a tree for people: message by message, gate by gate, trigger by trigger.
struct ExplanationTree {
    private(set) var lines: [String] = []

    init(_ explanation: Explanation, _ question: ExplainRequest) {
        if let surface = question.surface {
            lines.append("\(surface) at \(question.now.rfc3339): \(explanation.selected ?? "nothing is shown")")
        }
        if let feature = explanation.feature { add(feature, at: question.now.rfc3339) }
        // A feature's own recipes are shown with the feature.
        if question.surface != nil, !explanation.enrollments.isEmpty {
            add("enrollments", explanation.enrollments.map(Self.node))
        }
        if !explanation.unserved.isEmpty { add("not served", explanation.unserved.map(Self.node)) }
        for message in explanation.messages { add(message) }
    }

    private static func node(_ recipe: UnservedRecipe) -> Node {
        let preposition = recipe.reason == .scheduled ? "for" : "since"
        let date = recipe.date.map { " \(preposition) \($0.rfc3339)" } ?? ""
        return Node(text: "\(recipe.slug): \(recipe.reason.rawValue)\(date)")
    }

    private struct Node {
        let text: String
        var children: [Node] = []
    }

    private mutating func add(_ text: String, _ children: [Node]) {
        lines.append("")
        lines.append(text)
        add(children, indent: "")
    }

    private mutating func add(_ nodes: [Node], indent: String) {
        for (index, node) in nodes.enumerated() {
            let isLast = index == nodes.count - 1
            lines.append(indent + (isLast ? "└─ " : "├─ ") + node.text)
            add(node.children, indent: indent + (isLast ? "   " : "│  "))
        }
    }

    private mutating func add(_ feature: FeatureExplanation, at time: String) {
        if !lines.isEmpty { lines.append("") }
        lines.append("\(feature.id) at \(time)")
        add(feature.flags.map { Node(text: text(of: $0)) }, indent: "")
        for recipe in feature.recipes { add(recipe) }
    }

    private func text(of flag: FlagEvaluation) -> String {
        let origin = flag.recipe.map { "\($0) \(flag.variant)" } ?? flag.variant
        return
            "\(flag.key): \(flag.value?.text ?? "no value") (\(flag.reason.rawValue), \(origin); from \(flag.source.rawValue))"
    }

    private mutating func add(_ recipe: FeatureRecipe) {
        let kind = recipe.isRollout ? "rollout" : "experiment"
        let status = recipe.enrollment.map { Self.node($0).text } ?? "✗ \(recipe.slug): NotEnrolled"
        add(
            "\(status), \(kind)\(recipe.isPaused ? ", paused" : "")",
            recipe.gates.map { gate in
                var text = "\(mark(gate.holds)) \(gate.gate)"
                if let expression = gate.values["expression"]?.string { text += ": \(expression)" }
                if let bucket = gate.values["bucket"] {
                    let (start, count) = (gate.values["start"]?.integer ?? 0, gate.values["count"]?.integer ?? 0)
                    text += ": \(bucket.text), of \(start) to \(start + count - 1)"
                }
                let leaves = gate.leaves.flatMap { leaf in
                    leaf.values.map { Node(text: "\($0.name) is \($0.value?.text ?? "not defined")") }
                }
                return Node(text: text, children: leaves)
            })
    }

    private mutating func add(_ message: MessageExplanation) {
        let rank = message.priority.map { ", priority \($0)" } ?? ""
        let kind = message.isControl ? ", control" : ""
        add(
            "\(mark(message.isEligible)) \(message.key): \(message.verdict.rawValue) (\(message.surface)\(rank)\(kind))",
            gates(of: message))
    }

    /// The gates in the order of selection.
    private func gates(of message: MessageExplanation) -> [Node] {
        if let reason = message.malformation { return [Node(text: "✗ malformed: \(reason.sentence)")] }
        var nodes: [Node] = []
        let limit = message.maxDisplayCount.map { " of \($0)" } ?? ", without a limit"
        var cap = "displays: \(message.displayCount)\(limit)"
        var isCapped = false
        var interaction: Node?
        for blocker in message.blockers {
            switch blocker {
            case .surface(let own, let asked): nodes.append(Node(text: "✗ surface: \(own), not \(asked)"))
            case .displayCap(_, _, let isLatched, let until):
                isCapped = true
                if isLatched { cap += ", expired" }
                if let until { cap += ", until \(until.rfc3339)" }
            case .interaction(let dismissals, let isClicked, let until):
                let what = (dismissals > 0 ? ["dismissed"] : []) + (isClicked ? ["clicked"] : [])
                let end = until.map { ", until \($0.rfc3339)" } ?? ""
                interaction = Node(text: "✗ \(what.joined(separator: " and "))\(end)")
            case .launches(let counters, let wanted): nodes.append(Self.node(counters, wanted))
            case .pacing(let obstacle): nodes.append(Self.node(obstacle))
            case .malformed, .trigger, .exclusion: break
            }
        }
        nodes.append(Node(text: "\(mark(!isCapped)) \(cap)"))
        if let interaction { nodes.append(interaction) }
        nodes += message.triggers.map { trigger in
            Node(
                text: text(trigger, isMet: trigger.verdict == .holds),
                children: leaves(of: trigger, in: message, isExclusion: false))
        }
        nodes += message.exclusions.map { exclusion in
            Node(
                text: text(exclusion, isMet: exclusion.verdict == .doesNotHold, "except "),
                children: leaves(of: exclusion, in: message, isExclusion: true))
        }
        return nodes
    }

    private func text(_ trigger: TriggerExplanation, isMet: Bool, _ word: String = "") -> String {
        "\(mark(isMet)) \(word)\(trigger.name): \(trigger.expression)"
    }

    private func leaves(
        of trigger: TriggerExplanation, in message: MessageExplanation, isExclusion: Bool
    ) -> [Node] {
        var seen: Set<FailingLeaf> = []
        return message.blockers.compactMap { blocker in
            let leaf: FailingLeaf
            switch blocker {
            case .trigger(trigger.name, let own) where !isExclusion: leaf = own
            case .exclusion(trigger.name, let own) where isExclusion: leaf = own
            default: return nil
            }
            guard seen.insert(leaf).inserted else { return nil }
            return Self.text(leaf, of: trigger, wanted: isExclusion ? "false" : "true").map { Node(text: $0) }
        }
    }

    /// The values of a leaf. The leaf's expression is omitted if it is the whole trigger. Nil if there is nothing to
    /// add.
    private static func text(_ leaf: FailingLeaf, of trigger: TriggerExplanation, wanted: String) -> String? {
        var why = leaf.values.map { "\($0.name) is \($0.value?.text ?? "not defined")" }
        if let error = leaf.error, error.kind != .undefinedIdentifier { why.append(error.message) }
        let part = leaf.expression == trigger.expression ? [] : ["\(leaf.expression) must be \(wanted)"]
        let texts = part + (why.isEmpty ? [] : [why.joined(separator: ", ")])
        return texts.isEmpty ? nil : texts.joined(separator: ": ")
    }

    private static func node(_ counters: LaunchCounters, _ wanted: LaunchTrigger) -> Node {
        let hours = wanted.seconds > 0 ? ", first \(wanted.seconds / 3600) hours ago" : ""
        let first = counters.firstLaunchAt.map { ", first at \($0.rfc3339)" } ?? ""
        let text = "✗ starts of the app: \(wanted.launches), to the foreground \(wanted.foregrounds)\(hours)"
        let seen = "they are \(counters.launches), to the foreground \(counters.foregrounds)\(first)"
        return Node(text: text, children: [Node(text: seen)])
    }

    private static func node(_ obstacle: PacingObstacle) -> Node {
        let values = obstacle.values.map { "\($0.key) \($0.value.string ?? $0.value.text)" }
        let gate = obstacle.verdict.rawValue.replacing("_", with: " ")
        return Node(text: "✗ \(gate): \(values.joined(separator: ", "))")
    }

    private static func node(_ enrollment: Enrollment) -> Node {
        let branch = enrollment.status.branch.map { " \($0)" } ?? ""
        let reason = enrollment.status.reason.map { " (\($0))" } ?? ""
        let mark = enrollment.status.isEnrolled ? "✓" : "✗"
        return Node(text: "\(mark) \(enrollment.slug): \(enrollment.status.name)\(branch)\(reason)")
    }

    private func mark(_ isMet: Bool) -> String { isMet ? "✓" : "✗" }
}
