import Foundation

/// Checks the citations in comments and pages: pages of the repository with their headings, and decisions by number.
///
/// In a comment, a page is named by its path from the repository's root: `docs/reference/messaging.md#selection`. In a
/// page, links are relative to the page, and other mentions are as in a comment.
struct Citations {
    private let root: URL
    private let decisions: Set<String>

    init(root: String) {
        self.root = URL(filePath: root)
        let names = ["docs/decisions", "docs/decisions/archive"].flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        }
        decisions = Set(names.map { String($0.prefix(4)) })
    }

    /// The faults of the citations in the comments of a source file.
    func faults(inSource text: String) -> [String] {
        lines(text).filter { Self.mayCite($0.text) && Self.isComment($0.text) }.flatMap { line in
            faults(ofMentionsIn: line.text).map { "\(line.number): \($0)" }
        }
    }

    /// The faults of the links and citations in a Markdown page; `path` is from the root.
    func faults(inPage text: String, path: String) -> [String] {
        let folder = root.appending(path: path).deletingLastPathComponent()
        let own = Self.anchors(text)
        return Self.prose(text).flatMap { line in
            let links = line.text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
            let rest = line.text.replacing(/\]\([^)]*\)/, with: "]")
            let broken = links.compactMap { link -> String? in
                guard !link.contains("://"), !link.hasPrefix("mailto:") else { return nil }
                guard link.hasPrefix("#") else { return fault(link, in: folder) }
                return own.contains(String(link.dropFirst())) ? nil : "there is no heading \(link)"
            }
            return (broken + faults(ofMentionsIn: rest, folder: folder)).map { "\(line.number): \($0)" }
        }
    }

    /// The anchors of a page's headings, in GitHub's form.
    static func anchors(_ page: String) -> Set<String> {
        var anchors: Set<String> = []
        for line in prose(page) where line.text.hasPrefix("#") {
            guard let heading = line.text.wholeMatch(of: /#{1,6} +(.*)/)?.output.1 else { continue }
            let title = heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.lowercased()
            let kept = title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
            let base = kept.replacing(" ", with: "-")
            var anchor = base
            var number = 0
            while !anchors.insert(anchor).inserted {
                number += 1
                anchor = "\(base)-\(number)"
            }
        }
        return anchors
    }

    /// The faults of the pages and decisions that a text names. Pages are named by their path from the root, or from
    /// the folder.
    private func faults(ofMentionsIn text: String, folder: URL? = nil) -> [String] {
        let pages = text.matches(of: /[\w.\/-]*\.md(?:#[\w-]+)?/).map { String($0.output) }.filter {
            !$0.hasPrefix("//") && !$0.hasPrefix(".md")
        }
        let broken = pages.compactMap { page -> String? in
            guard let fault = fault(page, in: root) else { return nil }
            return folder.map { self.fault(page, in: $0) } ?? fault
        }
        let bare = text.matches(of: #/docs/decisions/\d+(?![\d-])/#).map { "\($0.output) has no name" }
        let numbers = text.matches(of: /\b[Dd]ecisions? (\d+)/).compactMap { match -> String? in
            let number = String(match.output.1)
            let name = String(repeating: "0", count: max(0, 4 - number.count)) + number
            return decisions.contains(name) ? nil : "there is no decision \(number)"
        }
        return broken + bare + numbers
    }

    /// The fault of a target; nil if the file exists and has the heading, if one is named.
    private func fault(_ target: String, in folder: URL) -> String? {
        let parts = target.split(separator: "#", maxSplits: 1).map(String.init)
        let file = folder.appending(path: parts[0])
        guard FileManager.default.fileExists(atPath: file.path) else { return "there is no \(parts[0])" }
        guard parts.count > 1 else { return nil }
        let page = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return Self.anchors(page).contains(parts[1]) ? nil : "\(parts[0]) has no heading #\(parts[1])"
    }

    /// A quick check, before the regular expressions.
    private static func mayCite(_ line: String) -> Bool {
        line.contains(".md") || line.contains("decision") || line.contains("Decision")
    }

    private static func isComment(_ line: String) -> Bool {
        let text = line.drop { $0 == " " }
        return ["//", "# ", "-- ", "* ", "/*"].contains { text.hasPrefix($0) } || line.contains(" // ")
    }

    /// A page without its code blocks.
    private static func prose(_ page: String) -> [(number: Int, text: String)] {
        var isCode = false
        return page.components(separatedBy: "\n").enumerated().compactMap { index, line in
            if line.hasPrefix("```") { isCode.toggle() }
            return isCode || line.hasPrefix("```") ? nil : (index + 1, line)
        }
    }

    private func lines(_ text: String) -> [(number: Int, text: String)] {
        text.components(separatedBy: "\n").enumerated().map { ($0.offset + 1, $0.element) }
    }
}
