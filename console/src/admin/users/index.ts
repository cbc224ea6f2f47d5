// Users: the list with its two tabs, a new one, and each one's page at the specification's address.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const manageUsers: ResourcePages = {
  name: "manage-users",
  list: lazy(() => import("./UserList")),
  create: lazy(() => import("./UserCreate")),
  more: [{ path: "user/:id", page: lazy(() => import("./UserPage")) }],
};
