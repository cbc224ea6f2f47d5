// What a movement of money is called, in the lists of both roles.

const NAMES: Record<string, string> = {
  payment: "Payment",
  transfer: "Transfer",
  credit: "Credit by an administrator",
  reserve: "Reserved for a campaign",
  release: "Refund from a campaign",
  refund: "Refund of a charge",
  charge: "Later charge",
};

export function kindOf({ kind, direction }: { kind: string; direction: string }): string {
  if (kind === "transfer") return direction === "debit" ? "Transfer sent" : "Transfer received";
  return NAMES[kind] ?? kind;
}

/** Kinds to choose one from. */
export const KIND_NAMES: readonly { id: string; name: string }[] = Object.entries(NAMES).map(
  ([id, name]) => ({
    id,
    name,
  }),
);
