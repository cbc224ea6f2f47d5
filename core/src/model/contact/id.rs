//! The ids of contacts, their groups, imports and opt-outs.

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
