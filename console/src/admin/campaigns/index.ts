// All users' campaigns, and one of them with its messages: paused, resumed and cancelled here.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const campaigns: ResourcePages = {
  name: "campaign-history",
  list: lazy(() => import("./CampaignList")),
  // react-admin's name for what stands at /campaign-history/{id}.
  edit: lazy(() => import("./CampaignPage")),
};
