// Messages across all customers: those of one number, the unknown ones, and one message with its charges.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const messages: ResourcePages = {
  name: "messages",
  list: lazy(() => import("./NumberSearch")),
  // react-admin's name for what stands at /messages/{id}.
  edit: lazy(() => import("./MessagePage")),
};

export const unknownMessages: ResourcePages = {
  name: "unknown-messages",
  list: lazy(() => import("./UnknownList")),
};
