#if canImport(SwiftUI)
    public import BellwetherClient
    internal import BellwetherJSON
    internal import Foundation
    internal import Surveys
    public import SwiftUI

    /// A flow: one step after another, with its blocks, options and fields.
    public struct FlowScreen: View {
        private let client: BellwetherClient
        private let onEnd: (FlowOutcome?) -> Void
        @State private var position: FlowPosition
        @State private var response = JSONObject()
        @State private var faults: [FlowFault] = []
        @State private var isSending = false
        @State private var isOffline = false
        @Environment(\.dismiss) private var dismiss

        /// - Parameter onEnd: called at the end, with what the app presents next.
        public init(
            client: BellwetherClient, position: FlowPosition, onEnd: @escaping (FlowOutcome?) -> Void = { _ in }
        ) {
            (self.client, self.onEnd) = (client, onEnd)
            _position = State(initialValue: position)
            _response = State(initialValue: Self.answers(at: position))
        }

        public var body: some View {
            VStack(spacing: 16) {
                if let progress = position.progress { ProgressView(value: progress) }
                if let banner = position.banner {
                    Text(verbatim: banner.text).foregroundStyle(banner.kind == .error ? .red : .green)
                }
                if let step = position.step {
                    ScrollView { StepContent(step: step, response: $response, faults: faults, act: act) }
                    if isOffline { Image(systemName: "wifi.slash").foregroundStyle(.red) }
                    buttons(step)
                }
            }
            .padding()
            .disabled(isSending)
            .interactiveDismissDisabled()
        }

        private func buttons(_ step: ShownStep) -> some View {
            HStack {
                if position.canGoBack {
                    Button {
                        act(.back)
                    } label: {
                        Image(systemName: "chevron.backward")
                    }
                }
                Spacer()
                if step.isSkippable {
                    Button {
                        act(.skip)
                    } label: {
                        Image(systemName: "forward.end")
                    }
                }
                Button {
                    act(.next)
                } label: {
                    if let label = step.buttonLabel {
                        Text(verbatim: label)
                    } else {
                        Image(systemName: "arrow.forward")
                    }
                }
                .buttonStyle(.borderedProminent)
            }
        }

        private func act(_ kind: FlowAction.Kind) {
            isSending = true
            Task {
                defer { isSending = false }
                do {
                    position = try await client.advance(position, kind, kind == .next ? response : [:])
                    (faults, isOffline) = ([], false)
                    response = Self.answers(at: position)
                    if position.status != .active { end() }
                } catch {
                    switch error {
                    case .refused(let found): faults = found
                    case .offline: isOffline = true
                    case .closed, .unavailable, .notAllowed: end()
                    }
                }
            }
        }

        private func end() {
            dismiss()
            onEnd(position.outcome)
        }

        /// The answers that the step has already.
        private static func answers(at position: FlowPosition) -> JSONObject {
            position.step.flatMap { position.responses[$0.id]?.object } ?? [:]
        }
    }

    /// A step's texts and inputs.
    private struct StepContent: View {
        let step: ShownStep
        @Binding var response: JSONObject
        let faults: [FlowFault]
        let act: (FlowAction.Kind) -> Void

        var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                if let title = step.title { Text(verbatim: title).font(.title2.bold()) }
                if let subtitle = step.subtitle { Text(verbatim: subtitle).foregroundStyle(.secondary) }
                ForEach(step.blocks.indices, id: \.self) { index in
                    BlockView(block: step.blocks[index], response: $response, act: act)
                }
                if !step.options.isEmpty {
                    OptionList(options: step.options, allowsSeveral: step.allowsSeveral, chosen: $response["selected"])
                }
                ForEach(step.fields.filter(\.isVisible), id: \.id) { field in
                    FieldView(field: field, value: $response[field.id])
                }
                ForEach(faults, id: \.self) { fault in Text(verbatim: fault.message).foregroundStyle(.red) }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
    }

    /// One block, with the blocks inside it.
    private struct BlockView: View {
        let block: ShownBlock
        @Binding var response: JSONObject
        let act: (FlowAction.Kind) -> Void

        var body: some View {
            if block.isVisible {
                content
                ForEach(block.children.indices, id: \.self) { index in
                    AnyView(BlockView(block: block.children[index], response: $response, act: act))
                }
                ForEach(block.fields.filter(\.isVisible), id: \.id) { field in
                    FieldView(field: field, value: $response[field.id])
                }
            }
        }

        @ViewBuilder private var content: some View {
            switch block.type {
            case "title", "heading": Text(verbatim: block.text ?? "").font(.title2.bold())
            case "image":
                if let url = block.document["image_url"]?.string.flatMap({ URL(string: $0) }) {
                    AsyncImage(url: url) {
                        $0.resizable().scaledToFit()
                    } placeholder: {
                        ProgressView()
                    }
                }
            case "divider": Divider()
            case "spacer": Spacer(minLength: 16)
            case "button":
                Button {
                    act(block.document["action"]?.string == "skip" ? .skip : .next)
                } label: {
                    Text(verbatim: block.text ?? "")
                }
                .buttonStyle(.bordered)
            default: if let text = block.text { Text(verbatim: text) }
            }
        }
    }

    /// Options of which one or several are chosen. The value is an array of ids.
    private struct OptionList: View {
        let options: [ShownOption]
        let allowsSeveral: Bool
        @Binding var chosen: JSONValue?

        private var ids: [String] { chosen?.array?.compactMap(\.string) ?? [] }

        var body: some View {
            ForEach(options, id: \.id) { option in
                Button {
                    let without = ids.filter { $0 != option.id }
                    let next = allowsSeveral ? (without.count < ids.count ? without : ids + [option.id]) : [option.id]
                    chosen = .array(next.map { .string($0) })
                } label: {
                    HStack {
                        VStack(alignment: .leading) {
                            Text(verbatim: option.label)
                            if let subtitle = option.subtitle { Text(verbatim: subtitle).font(.footnote) }
                        }
                        Spacer()
                        if ids.contains(option.id) { Image(systemName: "checkmark").foregroundStyle(.tint) }
                    }
                    .contentShape(Rectangle())
                }
                .buttonStyle(.plain)
            }
        }
    }

    /// One field of a form.
    private struct FieldView: View {
        let field: ShownField
        @Binding var value: JSONValue?

        private var text: Binding<String> {
            Binding {
                value?.string ?? ""
            } set: {
                value = $0.isEmpty ? nil : .string($0)
            }
        }

        var body: some View {
            VStack(alignment: .leading) {
                switch field.type {
                case "toggle":
                    Toggle(
                        isOn: Binding {
                            value?.bool ?? false
                        } set: {
                            value = .bool($0)
                        }
                    ) {
                        Text(verbatim: field.label)
                    }
                case "select", "segmented":
                    Picker(selection: text) {
                        ForEach(field.options, id: \.id) { Text(verbatim: $0.label).tag($0.id) }
                    } label: {
                        Text(verbatim: field.label)
                    }
                case "number", "stepper", "slider", "rating":
                    Text(verbatim: field.label)
                    TextField(
                        field.placeholder ?? "",
                        value: Binding {
                            value?.double
                        } set: {
                            value = $0.map { .number($0) }
                        }, format: .number)
                case "password":
                    Text(verbatim: field.label)
                    SecureField(field.placeholder ?? "", text: text)
                default:
                    Text(verbatim: field.label)
                    TextField(
                        field.placeholder ?? "", text: text, axis: field.type == "textarea" ? .vertical : .horizontal)
                }
            }
        }
    }
#endif
