//! The ids of groups of contacts, and of what fills them.

id! {
    /// The id of a group of contacts.
    GroupId
}

id! {
    /// The id of an import.
    ImportId
}
