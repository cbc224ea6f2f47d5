// Sender IDs that customers ask for: approved or refused here.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const senders: ResourcePages = {
  name: "approve-sender-id",
  list: lazy(() => import("./SenderList")),
};
