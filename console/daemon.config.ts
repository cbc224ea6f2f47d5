// What of an address belongs to the daemon. Everything else is a page, and pages of administrators live under
// /dashboard/admin, never under /admin, which is the API.
import type { ProxyOptions } from "vite";

const API = "^/(api|admin|sandbox|hooks|problems|readyz|healthz|metrics)(/|\\?|$)";

export function proxyTo(daemon: string): Record<string, ProxyOptions> {
  return { [API]: { target: daemon, changeOrigin: false, xfwd: true } };
}
