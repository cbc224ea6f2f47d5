// The confirmation of a payment: by itself on return, and by a button for one that is still open.
import { useMutation } from "@tanstack/react-query";
import { ApiProblem } from "../../api/problem";
import { session } from "../../api/session";
import { type Confirmed, confirm, type Provider, REFERENCE_KEYS, useInvalidateMoney } from "./payments";

export function useConfirmation(provider: Provider, onPaid: (confirmed: Confirmed) => void) {
  const moved = useInvalidateMoney();
  return useMutation({
    mutationFn: (reference: string) => confirm(provider, reference),
    onSuccess: async (confirmed, reference) => {
      if (session.kept(REFERENCE_KEYS[provider]) === reference) session.drop(REFERENCE_KEYS[provider]);
      onPaid(confirmed);
      await moved();
    },
    onError: moved,
  });
}

/** Whether asking again later may answer otherwise. */
export function mayStillCome(problem: unknown): boolean {
  if (!(problem instanceof ApiProblem)) return true;
  return (
    problem.code === "payment_pending" ||
    problem.status === 0 ||
    problem.status >= 500 ||
    problem.status === 429
  );
}
