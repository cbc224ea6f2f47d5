// Carriers: how each fares, and what an operator does to it at two in the morning.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const carriers: ResourcePages = {
  name: "carriers",
  list: lazy(() => import("./CarrierList")),
  // react-admin's name for what stands at /carriers/{name}.
  edit: lazy(() => import("./CarrierPage")),
};
