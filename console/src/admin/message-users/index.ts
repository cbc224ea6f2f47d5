// Administrators' messages to one user or to all.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const messageUsers: ResourcePages = {
  name: "message-users",
  list: lazy(() => import("./MessageUsers")),
};
