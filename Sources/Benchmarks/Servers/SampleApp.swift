import Foundation

/// The app that the daemon serves here: the shipped manifest and strings, and recipes of one microsurvey each.
///
/// Before the eligible message stand 49 of higher priority. Half of them fail on an attribute, the others pass on their
/// attributes and fail on an event query, so that a poll cannot do without the client's counters.
struct SampleApp {
    static let name = "firefox-ios"
    static let surface = "microsurvey"
    /// The index of the first eligible message in the order of priority.
    static let eligibleIndex = 50
    static let eligibleKey = SampleRecipe(index: eligibleIndex, kind: .messages).slug
    let recipes: Int
    var kind = SampleRecipe.Kind.messages

    /// Writes `FOLDER/apps/{app}` and `FOLDER/recipes/{app}`; manifest and strings are copied.
    func write(to folder: String, from app: String) throws {
        let files = FileManager.default
        let (apps, recipeFolder) = ("\(folder)/apps", "\(folder)/recipes/\(Self.name)")
        try files.createDirectory(atPath: apps, withIntermediateDirectories: true)
        try files.createDirectory(atPath: recipeFolder, withIntermediateDirectories: true)
        try files.copyItem(atPath: app, toPath: "\(apps)/\(Self.name)")
        for index in 0..<recipes {
            let recipe = SampleRecipe(index: index + 1, kind: kind)
            try recipe.text.write(toFile: "\(recipeFolder)/\(recipe.slug).json", atomically: false, encoding: .utf8)
        }
    }
}
