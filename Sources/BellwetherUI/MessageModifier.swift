#if canImport(SwiftUI)
    internal import BellwetherBase
    public import BellwetherClient
    internal import BellwetherCore
    internal import BellwetherJSON
    internal import Foundation
    internal import Surveys
    public import SwiftUI

    extension View {
        /// Shows the message of a surface: a prompt at the bottom, the sheet of a microsurvey, and what a message
        /// presents.
        public func bellwether(surface: String) -> some View { modifier(MessageModifier(surface: surface)) }
    }

    private struct MessageModifier: ViewModifier {
        let surface: String
        @Environment(\.bellwetherClient) private var client
        @Environment(\.bellwetherRefreshes) private var refreshes
        @Environment(\.openURL) private var openURL
        @State private var message: OfferedMessage?
        @State private var sheet: Sheet?

        enum Sheet: Identifiable {
            case microsurvey(OfferedMessage)
            case form(SurveyForm)
            case flow(FlowPosition)

            var id: String {
                switch self {
                case .microsurvey(let message): "message \(message.key)"
                case .form(let form): "form \(form.slug)"
                case .flow(let position): "flow \(position.slug)"
                }
            }
        }

        func body(content: Content) -> some View {
            content
                .overlay(alignment: .bottom) {
                    if let message {
                        MessagePrompt(message: message, press: { press(message) }, close: { close(message) })
                            .padding()
                            .transition(.move(edge: .bottom).combined(with: .opacity))
                    }
                }
                .task(id: refreshes) { await look() }
                .sheet(item: $sheet) { sheet in
                    if let client {
                        switch sheet {
                        case .microsurvey(let message): MicrosurveySheet(client: client, message: message)
                        case .form(let form): QuestionnaireView(client: client, form: form)
                        case .flow(let position): FlowScreen(client: client, position: position)
                        }
                    }
                }
        }

        /// Takes the message that the surface may show now, unless one is on the screen.
        private func look() async {
            guard message == nil, sheet == nil, let client else { return }
            guard let offered = await client.messages(surface: surface).messages.first else { return }
            withAnimation { message = offered }
            await client.displayed(offered)
        }

        private func press(_ message: OfferedMessage) {
            withAnimation { self.message = nil }
            Task {
                await client?.clicked(message)
                if message.microsurvey != nil {
                    sheet = .microsurvey(message)
                } else if let recipe = message.presents {
                    await present(recipe, of: message)
                } else if let url = message.action.flatMap({ URL(string: $0.url) }) {
                    openURL(url)
                }
            }
        }

        private func present(_ recipe: OfferedMessage.PresentedRecipe, of message: OfferedMessage) async {
            guard let client else { return }
            switch recipe.kind {
            case .questionnaire:
                if var form = await client.questionnaire(slug: recipe.slug).form {
                    form.message = message.key.text
                    sheet = .form(form)
                }
            case .survey:
                if var form = await client.survey(slug: recipe.slug).form {
                    form.message = message.key.text
                    sheet = .form(form)
                }
            case .flow:
                if let position = try? await client.flow(slug: recipe.slug, message: message.key.text) {
                    sheet = .flow(position)
                }
            }
        }

        private func close(_ message: OfferedMessage) {
            withAnimation { self.message = nil }
            Task { await client?.dismissed(message) }
        }
    }

    /// A message over the app's content.
    public struct MessagePrompt: View {
        let message: OfferedMessage
        let press: () -> Void
        let close: () -> Void

        public init(message: OfferedMessage, press: @escaping () -> Void, close: @escaping () -> Void) {
            (self.message, self.press, self.close) = (message, press, close)
        }

        public var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                HStack(alignment: .top) {
                    VStack(alignment: .leading, spacing: 4) {
                        if let title = message.title { Text(verbatim: title).font(.headline) }
                        Text(verbatim: message.text)
                    }
                    Spacer()
                    Button(role: .cancel, action: close) { Image(systemName: "xmark") }
                        .accessibilityLabel(Text("Close"))
                }
                if let label = message.buttonLabel {
                    Button(action: press) { Text(verbatim: label).frame(maxWidth: .infinity) }
                        .buttonStyle(.borderedProminent)
                }
            }
            .padding()
            .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 16))
            .contentShape(Rectangle())
            .onTapGesture { if message.buttonLabel == nil { press() } }
            .environment(\.layoutDirection, message.isRightToLeft ? .rightToLeft : .leftToRight)
        }
    }

    /// The question of a microsurvey.
    struct MicrosurveySheet: View {
        let client: BellwetherClient
        let message: OfferedMessage
        @State private var chosen: Int?
        @State private var isDone = false
        @Environment(\.dismiss) private var dismiss
        @Environment(\.openURL) private var openURL

        var body: some View {
            if let survey = message.microsurvey {
                NavigationStack {
                    Form {
                        if isDone {
                            Text(verbatim: survey.confirmationText)
                        } else {
                            question(survey)
                        }
                    }
                    .navigationTitle(Text(verbatim: isDone ? survey.confirmationHeader : survey.header))
                    .toolbar {
                        ToolbarItem(placement: .cancellationAction) {
                            Button(role: .cancel, action: close) { Image(systemName: "xmark") }
                        }
                    }
                }
                .presentationDetents([.medium, .large])
                .task { await client.report(.shown, message) }
            }
        }

        @ViewBuilder private func question(_ survey: MicrosurveyPresentation) -> some View {
            Picker(selection: $chosen) {
                ForEach(survey.options.indices, id: \.self) { index in
                    Text(verbatim: survey.options[index]).tag(Optional(index))
                }
            } label: {
                Text(verbatim: survey.question)
            }
            .pickerStyle(.inline)
            Button(action: submit) { Text(verbatim: survey.submitLabel) }.disabled(chosen == nil)
            if let url = survey.privacyURL.flatMap({ URL(string: $0) }) {
                Button {
                    Task { await client.report(.privacyNoticeTapped, message) }
                    openURL(url)
                } label: {
                    Text(verbatim: survey.privacyLabel)
                }
            }
        }

        private func submit() {
            guard let chosen else { return }
            isDone = true
            Task { await client.respond(to: message, option: chosen) }
        }

        private func close() {
            if !isDone { Task { await client.report(.dismissButtonTapped, message) } }
            dismiss()
        }
    }
#endif
