// Webhooks of all customers, and the log of each.
import { lazy } from "react";
import type { ResourcePages } from "../routes";

export const webhooks: ResourcePages = {
  name: "webhooks",
  list: lazy(() => import("./WebhookList")),
};
