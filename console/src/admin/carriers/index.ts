// Carriers: how each fares.
import { lazy } from "react";
import type { ResourcePages } from "../routes";

export const carriers: ResourcePages = {
  name: "carriers",
  list: lazy(() => import("./CarrierList")),
};
