// Webhooks of all customers, and the log of each.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const webhooks: ResourcePages = {
  name: "webhooks",
  list: lazy(() => import("./WebhookList")),
  // react-admin's name for what stands at /webhooks/{id}.
  edit: lazy(() => import("./WebhookPage")),
};
