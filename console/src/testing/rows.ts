// Rows as the API answers them, for the tests of the pages that customers and administrators each have of the same list.

/** An entry of the ledger, as histories show it. */
export const entry = (id: string, narration: string) => ({
  id,
  narration,
  kind: "credit",
  direction: "credit",
  price: 5,
  currency: "naira",
  payment_ref: `ref-${id}`,
  status: "successful",
  status_details: "",
  transaction_date: "2026-11-21T08:00:00Z",
  user_id: 7,
  username: "ada",
});

/** A message from a handset, one of whose three parts never came. */
export const incomplete = {
  id: 1,
  from: "2348031234567",
  to: "2342012345678",
  text: "Dear shop, […] and tomorrow",
  received_at: "2026-11-21T08:00:00Z",
  carrier: "main",
  user_id: 7,
  username: "ada",
  action: "none",
  parts_total: 3,
  parts_missing: 1,
};
