internal import BellwetherJSON

/// The names that a message refers to others by.
struct MessageNames: Hashable {
    let style: ByteKey
    let action: ByteKey?
    let triggers: [ByteKey]
    let exclusions: [ByteKey]
    let experiment: ByteKey?

    init(_ definition: MessageDefinition) {
        style = ByteKey(text: definition.style)
        action = definition.action.map { ByteKey(text: $0) }
        triggers = definition.triggers.map { ByteKey(text: $0) }
        exclusions = definition.exclusions.map { ByteKey(text: $0) }
        experiment = definition.experiment.map { ByteKey(text: $0) }
    }
}

/// What these names stand for, in all forms.
struct MessageParts {
    private let style: Varying<Style?>
    private let action: (name: String, url: Varying<String?>)?
    private let triggers: [(name: String, source: Varying<String?>)]
    private let exclusions: [(name: String, source: Varying<String?>)]
    private let enrollment: Varying<EnrolledBranch?>?

    /// Nil when one of them has too many.
    init?(_ names: MessageNames, in forms: inout CatalogForms) {
        guard let style = forms.style(names.style.text) else { return nil }
        self.style = style
        var action: (name: String, url: Varying<String?>)?
        if let name = names.action?.text {
            guard let url = forms.action(name) else { return nil }
            action = (name, url)
        }
        self.action = action
        guard let triggers = Self.sources(names.triggers, in: &forms),
            let exclusions = Self.sources(names.exclusions, in: &forms)
        else { return nil }
        self.triggers = triggers
        self.exclusions = exclusions
        enrollment = names.experiment.map { forms.enrollment(in: $0.text) }
    }

    private static func sources(
        _ names: [ByteKey], in forms: inout CatalogForms
    ) -> [(name: String, source: Varying<String?>)]? {
        var sources: [(name: String, source: Varying<String?>)] = []
        for name in names {
            guard let source = forms.trigger(name.text) else { return nil }
            sources.append((name.text, source))
        }
        return sources
    }

    /// Of those parts that have several forms, each once.
    var diagrams: [FormDiagram] {
        let named = [style.diagram, action?.url.diagram, enrollment?.diagram]
        let all = named + (triggers + exclusions).map(\.source.diagram)
        return all.compactMap(\.self).reduce(into: []) { distinct, diagram in
            if !distinct.contains(diagram) { distinct.append(diagram) }
        }
    }

    func resolved(_ choice: FormChoice) -> ResolvedParts {
        func resolved(_ sources: [(name: String, source: Varying<String?>)]) -> [NamedSource] {
            sources.map { NamedSource(name: $0.name, source: choice.form(of: $0.source)) }
        }
        return ResolvedParts(
            style: choice.form(of: style),
            action: action.map { NamedSource(name: $0.name, source: choice.form(of: $0.url)) },
            triggers: resolved(triggers), exclusions: resolved(exclusions),
            enrollment: enrollment.flatMap { choice.form(of: $0) })
    }
}

/// A name, and the text that it stands for; nil when nothing defines it.
struct NamedSource {
    let name: String
    let source: String?
}

/// What a message's names stand for, for clients of one combination of forms.
struct ResolvedParts {
    let style: Style?
    let action: NamedSource?
    let triggers: [NamedSource]
    let exclusions: [NamedSource]
    let enrollment: EnrolledBranch?
}

/// One combination of forms.
struct FormChoice {
    private let forms: [FormDiagram: Int32]

    init(_ requirements: [FormRequirement]) {
        forms = Dictionary(uniqueKeysWithValues: requirements.map { ($0.diagram, $0.form) })
    }

    func place<Form>(in varying: Varying<Form>) -> Int { varying.diagram.flatMap { forms[$0].map(Int.init) } ?? 0 }

    func form<Form>(of varying: Varying<Form>) -> Form { varying.forms[place(in: varying)] }
}
