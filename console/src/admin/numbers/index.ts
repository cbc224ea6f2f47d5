// Numbers that calls and messages come from: the platform's, assigned to users, and users' own as caller ids.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const virtualNumbers: ResourcePages = {
  name: "approve-virtualNumber",
  list: lazy(() => import("./VirtualNumberList")),
};

export const ownNumbers: ResourcePages = {
  name: "own-numbers",
  list: lazy(() => import("./OwnNumberList")),
};
