internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Differences that make the branches of an experiment incomparable.
extension DocumentCheck {
    /// A message, and the messaging value that contains it.
    private typealias Located = (message: LocatedMessage, value: LocatedMessaging)

    /// A control counts a display where its treatment would have been shown. So the same clients must reach both, at
    /// the same rank.
    func checkControls(in values: [LocatedMessaging]) {
        for value in values {
            for control in value.messages where control.definition.isControl {
                guard let treatment = treatment(of: control, in: value, among: values) else { continue }
                compare((control, value), with: treatment)
            }
        }
    }

    /// The treatment of a control. In another branch, it is the message with the same key, else the only message of the
    /// surface. In the same value, where triggers divide the clients, it is the message whose key is the same without
    /// the word `control`.
    private func treatment(
        of control: LocatedMessage, in own: LocatedMessaging, among values: [LocatedMessaging]
    ) -> Located? {
        for value in values where value.branch != own.branch {
            let shown = value.messages.filter { !$0.definition.isControl }
            let sameSurface = shown.filter { $0.definition.surface == control.definition.surface }
            let match =
                shown.first { $0.key == control.key } ?? (sameSurface.count == 1 ? sameSurface[0] : nil)
                ?? (sameSurface.isEmpty && shown.count == 1 ? shown[0] : nil)
            if let match { return (match, value) }
        }
        let stem = control.key.text.withoutControl.map { Identifier($0) }
        return stem.flatMap { stem in
            own.messages.first { !$0.definition.isControl && $0.key == stem }.map { ($0, own) }
        }
    }

    private func compare(_ control: Located, with treatment: Located) {
        let name = Self.name(of: treatment, besides: control)
        func note(_ field: String, _ what: String) {
            let location = control.message.field(field) ?? control.message.location
            findings.warn(
                "control_differs", at: location.pointer, "\(what) of \(name): the control counts other displays")
        }
        let (own, other) = (control.message.definition, treatment.message.definition)
        if own.surface != other.surface {
            note("surface", "its surface is not that")
        }
        let styles = (control.value.style(own.style.text), treatment.value.style(other.style.text))
        if styles.0 != styles.1 { note("style", "priority and cap of its style are not those") }
        let isSameValue = control.value.branch == treatment.value.branch
        for (field, lists) in [
            ("trigger-if-all", (own.triggers, other.triggers)),
            (control.message.dialect.exclusionKey, (own.exclusions, other.exclusions)),
        ]
        where sources(lists.0.map(\.text), control.value, isSameValue)
            != sources(lists.1.map(\.text), treatment.value, isSameValue)
        {
            note(field, "its \"\(field)\" does not say the same as that")
        }
    }

    /// The sources of triggers. Triggers that divide the clients by buckets differ intentionally.
    private func sources(_ names: [String], _ value: LocatedMessaging, _ isSameValue: Bool) -> Set<String> {
        Set(
            names.compactMap { name -> String? in
                guard let source = value.names.trigger(name)?.string else { return "unknown trigger \(name)" }
                let isShare = expressions.compiled(source)?.transforms.contains("bucketSample") ?? false
                return isSameValue && isShare ? nil : source
            })
    }

    private static func name(of treatment: Located, besides control: Located) -> String {
        let key = "message \"\(treatment.message.key)\""
        guard let branch = treatment.value.branch, branch != control.value.branch else { return key }
        return "\(key) in branch \"\(branch)\""
    }

    /// Two treatments with different keys are counted, capped and reported separately. A control may have its own key,
    /// as in Nimbus' own recipes.
    func checkKeys(of values: [LocatedMessaging]) {
        let treatments = values.compactMap { value -> (value: LocatedMessaging, keys: Set<Identifier>)? in
            let keys = Set(
                value.messages.filter { $0.isNew && !$0.definition.isControl }.map(\.key))
            return value.branch == nil || keys.isEmpty ? nil : (value, keys)
        }
        guard let first = treatments.first else { return }
        for other in treatments.dropFirst() where other.keys != first.keys {
            findings.warn(
                "branch_keys_differ", at: other.value.location.pointer.appending("messages"),
                "branch \"\(other.value.branch ?? "")\" has \(other.keys.listed), branch "
                    + "\"\(first.value.branch ?? "")\" \(first.keys.listed): caps and results count them apart")
        }
    }
}

/// Surveys whose answers cannot be added over the branches.
extension DocumentCheck {
    /// A branch without the survey is not compared, because it has no answers.
    func checkOptions(of recipe: Recipe, in values: [LocatedMessaging]) {
        let surveys = RecipeSurveys(recipe, under: manifest)
        let localizer = context.strings.localizer(for: LanguageTag(manifest.defaultLocale))
        let texts = Texts(localizer: localizer, shortName: manifest.shortName)
        let messages = values.flatMap { value in value.messages.map { (branch: value.branch, message: $0) } }
        let locations = Dictionary(grouping: messages, by: \.message.key)
        for (key, locations) in locations.sorted(by: { $0.key < $1.key }) {
            guard let lists = surveys.options(of: key)?.lists, let first = lists.first,
                let other = lists.first(where: { !$0.addsUp(with: first, texts.resolve) }),
                let message = (locations.first { $0.branch == other.branch } ?? locations.first)?.message
            else { continue }
            findings.warn(
                "branch_options_differ", at: (message.optionList ?? message.location).pointer,
                "branch \"\(other.branch ?? "")\" offers other options of \"\(key)\" than branch "
                    + "\"\(first.branch ?? "")\", and they are no common scale: results do not add them up")
        }
    }
}

extension Set<Identifier> {
    fileprivate var listed: String {
        sorted().map { "\"\($0)\"" }.listed(atMost: 3)
    }
}

extension String {
    /// A key without the word that marks a control; nil if it has no such word.
    fileprivate var withoutControl: String? {
        for mark in ["-control", "_control", ".control"] where hasSuffix(mark) { return String(dropLast(mark.count)) }
        for mark in ["control-", "control_", "control."] where hasPrefix(mark) { return String(dropFirst(mark.count)) }
        return nil
    }
}
