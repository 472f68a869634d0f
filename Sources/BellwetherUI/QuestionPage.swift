#if canImport(SwiftUI)
    internal import BellwetherClient
    internal import BellwetherJSON
    internal import Surveys
    internal import SwiftUI

    /// One question with its input.
    struct QuestionPage: View {
        let question: Question
        let strings: (String) -> String
        @Binding var answer: SurveyAnswer?

        var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                Text(verbatim: question.title).font(.title3.bold())
                if let subtitle = question.document["subtitle"]?.string {
                    Text(verbatim: subtitle).foregroundStyle(.secondary)
                }
                input
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }

        @ViewBuilder private var input: some View {
            switch question.typeName {
            case "single_choice", "single_select", "segment_select": choices(isSeveral: false)
            case "multi_choice", "multi_select": choices(isSeveral: true)
            case "rating": scale(1...(question.document["scale"]?.integer ?? 5), symbol: "star.fill")
            case "nps":
                scale(0...10, symbol: nil)
                HStack {
                    Text(verbatim: strings("npsLowLabel"))
                    Spacer()
                    Text(verbatim: strings("npsHighLabel"))
                }
                .font(.footnote)
            case "single_text_area": textEditor
            default: if question.document["multiline"]?.bool == true { textEditor } else { textField }
            }
        }

        private var text: Binding<String> {
            Binding {
                if case .text(let text) = answer { text } else { "" }
            } set: {
                answer = $0.isEmpty ? nil : .text($0)
            }
        }

        private var textField: some View {
            TextField(question.document["placeholder"]?.string ?? "", text: text).textFieldStyle(.roundedBorder)
        }

        private var textEditor: some View {
            TextEditor(text: text).frame(minHeight: 120).overlay {
                RoundedRectangle(cornerRadius: 8).stroke(.quaternary)
            }
        }

        /// The options: objects with id and label, or texts.
        private var options: [(id: String, label: String)] {
            (question.document["options"]?.array ?? []).compactMap { option in
                guard let id = option["id"].string ?? option.string else { return nil }
                return (id, option["label"].string ?? id)
            }
        }

        private var chosen: [String] {
            switch answer {
            case .text(let id): [id]
            case .texts(let ids): ids
            default: []
            }
        }

        private func choices(isSeveral: Bool) -> some View {
            ForEach(options, id: \.id) { option in
                Button {
                    choose(option.id, isSeveral: isSeveral)
                } label: {
                    HStack {
                        Text(verbatim: option.label)
                        Spacer()
                        if chosen.contains(option.id) { Image(systemName: "checkmark").foregroundStyle(.tint) }
                    }
                    .contentShape(Rectangle())
                }
                .buttonStyle(.plain)
                .padding(.vertical, 8)
                .accessibilityAddTraits(chosen.contains(option.id) ? .isSelected : [])
            }
        }

        private func choose(_ id: String, isSeveral: Bool) {
            guard isSeveral else {
                answer = .text(id)
                return
            }
            let ids = chosen.contains(id) ? chosen.filter { $0 != id } : chosen + [id]
            answer = ids.isEmpty ? nil : .texts(ids)
        }

        private func scale(_ values: ClosedRange<Int64>, symbol: String?) -> some View {
            HStack {
                ForEach(Array(values), id: \.self) { value in
                    let isChosen = if case .number(let number) = answer { value <= number } else { false }
                    Button {
                        answer = .number(value)
                    } label: {
                        if let symbol { Image(systemName: symbol) } else { Text(verbatim: "\(value)") }
                    }
                    .buttonStyle(.plain)
                    .foregroundStyle(isChosen ? AnyShapeStyle(.tint) : AnyShapeStyle(.secondary))
                    .accessibilityLabel(Text(verbatim: "\(value)"))
                    .frame(maxWidth: .infinity)
                }
            }
        }
    }
#endif
