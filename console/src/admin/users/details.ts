// What the API answers of one user: the account, its newest campaigns, numbers and transactions, and how many there are.
import type { components } from "../../api/schema";

export type UserDetails = components["schemas"]["UserDetails"];
