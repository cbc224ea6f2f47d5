//! The ids of contacts, of their groups and of what fills these, and of opt-outs.

id! {
    /// The id of a group of contacts.
    GroupId
}

id! {
    /// The id of a contact.
    ContactId
}

id! {
    /// The id of an import.
    ImportId
}

id! {
    /// The id of an opt-out.
    SuppressionId
}
