import Foundation

/// The app of the benchmark: the shipped manifest and strings, and recipes of one microsurvey each.
///
/// 49 messages of higher priority stand before the eligible message. Half of them fail on an attribute. The others pass
/// on their attributes and fail on an event query, so each poll needs the client's counters.
struct SampleApp {
    static let name = "firefox-ios"
    static let surface = "microsurvey"
    /// The index of the first eligible message in the order of priority.
    static let eligibleIndex = 50
    static let eligibleKey = SampleRecipe(index: eligibleIndex, kind: .messages).slug
    /// The list of clients that a segment reads.
    static let list = "known"
    let recipes: Int
    var kind = SampleRecipe.Kind.messages

    /// Writes `FOLDER/apps/{app}` and `FOLDER/recipes/{app}`. The manifest and the strings are copied.
    func write(to folder: String, from app: String) throws {
        let files = FileManager.default
        let (apps, recipeFolder) = ("\(folder)/apps", "\(folder)/recipes/\(Self.name)")
        try files.createDirectory(atPath: apps, withIntermediateDirectories: true)
        try files.createDirectory(atPath: recipeFolder, withIntermediateDirectories: true)
        try files.copyItem(atPath: app, toPath: "\(apps)/\(Self.name)")
        for index in 0..<recipes {
            let recipe = SampleRecipe(index: index + 1, kind: kind)
            try recipe.text.write(toFile: "\(recipeFolder)/\(recipe.slug).json", atomically: false, encoding: .utf8)
            guard let segment = recipe.segment else { continue }
            let path = "\(recipeFolder)/\(segment.slug).json"
            try segment.text.write(toFile: path, atomically: false, encoding: .utf8)
        }
    }
}
