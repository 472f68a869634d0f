#if canImport(SwiftUI)
    internal import BellwetherBase
    public import BellwetherClient
    internal import BellwetherJSON
    internal import Surveys
    public import SwiftUI

    /// A questionnaire or survey: a prompt, one question a page, and a last page. Each step keeps a draft.
    public struct QuestionnaireView: View {
        private let client: BellwetherClient
        private let strings: QuestionnaireStrings
        private let onSubmitted: (SaveReceipt) -> Void
        private let onCancel: () -> Void
        private let onDismissed: () -> Void
        @State private var form: SurveyForm
        @State private var page: Page
        @State private var detent: PresentationDetent
        @State private var fault: String?
        @State private var isConfirming = false
        @State private var isSending = false
        @Environment(\.dismiss) private var dismiss

        private enum Page: Hashable {
            case consent
            case question(Identifier)
            case success
        }

        private static let promptDetent = PresentationDetent.height(280)

        public init(
            client: BellwetherClient, form: SurveyForm, showsConsent: Bool = false,
            strings: QuestionnaireStrings = .default, onSubmitted: @escaping (SaveReceipt) -> Void = { _ in },
            onCancel: @escaping () -> Void = {}, onDismissed: @escaping () -> Void = {}
        ) {
            (self.client, self.strings) = (client, strings)
            (self.onSubmitted, self.onCancel, self.onDismissed) = (onSubmitted, onCancel, onDismissed)
            let evaluation = form.evaluation(at: .system)
            let isResumed = !form.answers.json.isEmpty
            let first = (isResumed ? evaluation.resumeAt : nil) ?? evaluation.shown.first?.id ?? ""
            let asksFirst = showsConsent && !isResumed
            _form = State(initialValue: form)
            _page = State(initialValue: asksFirst ? .consent : .question(first))
            _detent = State(initialValue: asksFirst ? Self.promptDetent : .large)
        }

        private func text(_ key: String) -> String { strings.text(key, form.strings) }

        private var shown: [Question] { form.evaluation(at: .system).shown }

        public var body: some View {
            NavigationStack {
                content
                    .toolbar {
                        ToolbarItem(placement: .cancellationAction) {
                            if case .question = page { Button(text("cancelButton"), role: .cancel, action: cancel) }
                        }
                    }
            }
            .presentationDetents([Self.promptDetent, .large], selection: $detent)
            .interactiveDismissDisabled()
            .environment(\.layoutDirection, form.isRightToLeft ? .rightToLeft : .leftToRight)
            .confirmationDialog(text("doNotShowAgain"), isPresented: $isConfirming, titleVisibility: .visible) {
                Button(text("consentNever"), role: .destructive, action: refuse)
            }
        }

        @ViewBuilder private var content: some View {
            switch page {
            case .consent: consent
            case .question(let id): question(id)
            case .success: success
            }
        }

        private var consent: some View {
            VStack(spacing: 12) {
                Text(verbatim: text("consentTitle")).font(.title2.bold())
                Text(verbatim: text("consentBody")).multilineTextAlignment(.center)
                Button(text("consentAccept")) {
                    detent = .large
                    page = .question(shown.first?.id ?? "")
                }
                .buttonStyle(.borderedProminent)
                Button(text("consentLater"), action: cancel)
                Button(text("consentNever"), role: .destructive) { isConfirming = true }
            }
            .padding()
        }

        @ViewBuilder private func question(_ id: Identifier) -> some View {
            let questions = shown
            let index = questions.firstIndex { $0.id == id } ?? 0
            if questions.indices.contains(index) {
                VStack(spacing: 16) {
                    ProgressView(value: Double(index + 1), total: Double(questions.count))
                    ScrollView {
                        QuestionPage(
                            question: questions[index], strings: { text($0) },
                            answer: $form.answers[questions[index].id])
                        if let fault { Text(verbatim: fault).foregroundStyle(.red) }
                    }
                    HStack {
                        if index > 0 { Button(text("backButton")) { show(questions[index - 1].id) } }
                        Spacer()
                        Button(index + 1 < questions.count ? text("nextButton") : text("submitButton")) {
                            Task { await next(from: questions[index].id) }
                        }
                        .buttonStyle(.borderedProminent)
                        .disabled(isSending)
                    }
                }
                .padding()
            }
        }

        private var success: some View {
            VStack(spacing: 12) {
                Image(systemName: "checkmark.circle.fill").font(.largeTitle).foregroundStyle(.tint)
                Text(verbatim: text("successTitle")).font(.title2.bold())
                Text(verbatim: text("successBody"))
                Button(text("doneButton")) { dismiss() }.buttonStyle(.borderedProminent)
            }
            .padding()
        }

        private func show(_ id: Identifier) {
            fault = nil
            page = .question(id)
        }

        /// Keeps a draft, and goes to the next question that is shown then. After the last one it submits.
        private func next(from id: Identifier) async {
            let evaluation = form.evaluation(at: .system)
            if let found = evaluation.faults.first(where: { $0.questionID == id }) {
                fault = found.message
            } else if evaluation.missing.contains(where: { $0.questionID == id }) {
                fault = text("errorRequiredMissing")
            } else {
                let questions = evaluation.shown
                let index = questions.firstIndex { $0.id == id } ?? 0
                if index + 1 < questions.count {
                    await client.save(form)
                    show(questions[index + 1].id)
                } else {
                    await submit()
                }
            }
        }

        private func submit() async {
            isSending = true
            defer { isSending = false }
            do {
                let receipt = try await client.submit(form)
                page = .success
                onSubmitted(receipt)
            } catch {
                fault = text("errorGeneric")
                guard case .invalid(let faults) = error, let first = faults.first else { return }
                page = .question(first.questionID)
                fault = first.code == .required ? text("errorRequiredMissing") : first.message
            }
        }

        private func cancel() {
            if case .question = page { Task { await client.save(form) } }
            dismiss()
            onCancel()
        }

        private func refuse() {
            Task {
                await client.dismissQuestionnaires()
                dismiss()
                onDismissed()
            }
        }
    }
#endif
