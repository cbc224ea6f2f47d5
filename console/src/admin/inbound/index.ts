// What handsets sent, of all customers.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const inbound: ResourcePages = {
  name: "inbound-messages",
  list: lazy(() => import("./InboundList")),
};
