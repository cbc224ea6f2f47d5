// What may become of a sender ID. Pending, approved and disapproved ones can be approved; pending and approved ones can
// be rejected, with a reason. (Specification, section 4.)
import type { components } from "../../api/schema";

export type SenderId = components["schemas"]["SenderIdRecord"];

export const REASON_MOST = 500;

export const canApprove = ({ status }: Pick<SenderId, "status">) => status !== "approved";
export const canReject = ({ status }: Pick<SenderId, "status">) =>
  status === "pending" || status === "approved";

/** The daemon trims, counts and refuses; this says the same beforehand. */
export function reasonProblem(reason: string): string | null {
  const written = reason.trim();
  if (!written) return "Reason is required";
  if ([...written].length > REASON_MOST) return `Reason can have at most ${REASON_MOST} characters`;
  return null;
}
