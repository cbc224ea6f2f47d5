// The audit trail: what administrators changed. It is read only, for all users.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const auditTrail: ResourcePages = {
  name: "audit-trail",
  list: lazy(() => import("./AuditTrail")),
};
