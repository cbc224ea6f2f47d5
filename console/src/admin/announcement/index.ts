// Announcements: the texts that run above and below the customers' pages. The pages are loaded when they are opened.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const announcement: ResourcePages = {
  name: "announcement",
  list: lazy(() => import("./AnnouncementList")),
  create: lazy(() => import("./AnnouncementCreate")),
  edit: lazy(() => import("./AnnouncementEdit")),
};
