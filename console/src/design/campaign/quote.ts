// Quotes as this page asks for and shows them.
import { api, ask } from "../../api/client";
import { count } from "../count";

/** Quotes what failed of a campaign and was not sent again yet. Charges nothing. */
export async function quoteFailed(id: number) {
  return (await ask(api.POST("/api/campaigns/{id}/resend", { params: { path: { id } } }))).details;
}

export type Quote = Awaited<ReturnType<typeof quoteFailed>>;

/** `1`, or `1 to 3` where recipients differ. */
export function range(fewestAndMost: readonly number[]): string {
  const [fewest = 0, most = fewest] = fewestAndMost;
  return fewest === most ? count(fewest) : `${count(fewest)} to ${count(most)}`;
}
