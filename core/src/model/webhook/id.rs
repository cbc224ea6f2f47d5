//! The ids of addresses that events are sent to, of the events, and of the requests that carry them or tell of a receipt.

id! {
    /// The id of a webhook.
    WebhookId
}

id! {
    /// The id of an event; in requests it is `msg_` and this.
    EventId
}

id! {
    /// The id of a delivery: of an event to a webhook.
    DeliveryId
}

id! {
    /// The id of a call that tells the sender of a message what became of it.
    ReceiptCallId
}
