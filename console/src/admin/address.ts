// Addresses of lists with filters set, as react-admin reads them.
import { addressOf } from "./layout/menu";

export function filtered(path: string, filter: Record<string, string | number>): string {
  return `${addressOf(path)}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
}
