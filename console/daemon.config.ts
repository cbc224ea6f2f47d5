// What of an address belongs to the daemon. Everything else is a page, and pages of administrators live under
// /dashboard/admin, never under /admin, which is the API.
import type { ProxyOptions } from "vite";

const API = "^/(api|admin|sandbox|hooks|problems|readyz|healthz|metrics)(/|\\?|$)";

// The same policy as the daemon sends with these files, so that a breach shows before release.
export const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

export function proxyTo(daemon: string): Record<string, ProxyOptions> {
  return { [API]: { target: daemon, changeOrigin: false, xfwd: true } };
}
