#if canImport(SwiftUI)
    internal import BellwetherBase
    public import BellwetherClient
    internal import Foundation
    internal import Surveys
    public import SwiftUI

    extension View {
        /// Shows a questionnaire when its trigger holds and the person may answer it: a prompt at a small detent, then
        /// one question a page.
        ///
        /// - Parameters:
        ///   - showsConsent: Whether the prompt comes first; nil: as the questionnaire says. A draft has no prompt.
        ///   - isEligible: a condition of the app's own, judged on the main thread before the request.
        ///   - forceShow: Whether all conditions are passed over, for a preview.
        ///   - onSubmitted: called once, for the final save.
        ///   - onCancel: called if the person cancels or answers "maybe later".
        ///   - onDismissed: called if the person wants no more questionnaires.
        public func bellwetherQuestionnaire(
            slug: String, trigger: QuestionnaireTrigger = .afterLaunch, showsConsent: Bool? = nil,
            isEligible: @escaping @MainActor () -> Bool = { true }, forceShow: Bool = false, tint: Color? = nil,
            strings: QuestionnaireStrings = .default, onSubmitted: @escaping (SaveReceipt) -> Void = { _ in },
            onCancel: @escaping () -> Void = {}, onDismissed: @escaping () -> Void = {}
        ) -> some View {
            modifier(
                QuestionnaireModifier(
                    slug: slug, trigger: trigger, showsConsent: showsConsent, isEligible: isEligible,
                    forceShow: forceShow, tint: tint, strings: strings, onSubmitted: onSubmitted, onCancel: onCancel,
                    onDismissed: onDismissed))
        }
    }

    private struct QuestionnaireModifier: ViewModifier {
        let slug: String
        let trigger: QuestionnaireTrigger
        let showsConsent: Bool?
        let isEligible: @MainActor () -> Bool
        let forceShow: Bool
        let tint: Color?
        let strings: QuestionnaireStrings
        let onSubmitted: (SaveReceipt) -> Void
        let onCancel: () -> Void
        let onDismissed: () -> Void

        @Environment(\.bellwetherClient) private var client
        @Environment(\.bellwetherRefreshes) private var refreshes
        @State private var shown: ShownForm?
        /// Whether this process has shown the questionnaire.
        @State private var wasShown = false

        struct ShownForm: Identifiable {
            let form: SurveyForm
            var id: String { form.slug }
        }

        private struct Occasion: Hashable {
            let refreshes: Int
            let isForced: Bool
        }

        func body(content: Content) -> some View {
            content
                .task(id: Occasion(refreshes: refreshes, isForced: forceShow)) { await look() }
                .sheet(item: $shown) { shown in
                    if let client {
                        QuestionnaireView(
                            client: client, form: shown.form,
                            showsConsent: showsConsent ?? shown.form.definition.showsConsent, strings: strings,
                            onSubmitted: onSubmitted, onCancel: onCancel, onDismissed: onDismissed
                        )
                        .tint(tint)
                    }
                }
        }

        private func look() async {
            guard shown == nil, let client else { return }
            if !forceShow {
                guard !wasShown, isEligible() else { return }
                guard trigger.holds(for: await client.counters, at: .system) else { return }
            }
            guard let form = await client.questionnaire(slug: slug, isForced: forceShow).form else { return }
            if !forceShow { wasShown = true }
            shown = ShownForm(form: form)
        }
    }

    extension Timestamp {
        /// The time of the system's clock.
        static var system: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
    }
#endif
