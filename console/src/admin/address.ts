// Addresses below /dashboard/admin: of a page, of a user, and of a list with filters set as react-admin reads them.
import type { Query } from "./resource";

export const ADMIN = "/dashboard/admin";

/** `path` is empty for the index. */
export const addressOf = (path: string) => (path ? `${ADMIN}/${path}` : ADMIN);

export const userAddress = (id: number) => addressOf(`manage-users/user/${id}`);

export function filtered(path: string, filter: Partial<Query>): string {
  return `${addressOf(path)}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
}
