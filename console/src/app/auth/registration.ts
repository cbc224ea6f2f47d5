// What /auth/register leaves for /auth/verify-reg, in this tab only.
import { session } from "../../api/session";

export const REGISTERING = "registering";

export function registering(): { phone: string; afterS: number } {
  const kept = session.kept(REGISTERING);
  const found = kept ? (JSON.parse(kept) as { phone?: string; afterS?: number }) : {};
  return { phone: found.phone ?? "", afterS: found.afterS ?? 0 };
}
