// The page that was asked for before signing in, in this tab only: sign-in leads back to it.
import { session } from "./session";

const KEY = "return-to";

export const returnTo = {
  /** Keeps an address below /dashboard; any other is where sign-in leads by itself. */
  keep(address: string): void {
    if (/^\/dashboard[/?#]/.test(address)) session.keep(KEY, address);
  },
  peek: (): string | null => session.kept(KEY),
  drop: (): void => session.drop(KEY),
};

/** Where a session begins: on the page that was asked for, where the role may open it, or else at home. */
export function landingOf(user: { role: string }, home: string): string {
  const asked = returnTo.peek();
  if (!asked || (asked.startsWith("/dashboard/admin") && user.role !== "admin")) return home;
  return asked;
}
