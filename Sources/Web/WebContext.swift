import Hummingbird

/// What is known of one request while it is answered.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }

    /// Bytes of a request's body that are read; a bulk of a year's transactions is below 1 MB, a pasted mail below 8.
    var maxUploadSize: Int { 8 << 20 }
}
