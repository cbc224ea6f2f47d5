// All users' calls to many.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const voiceReports: ResourcePages = {
  name: "voice-reports",
  list: lazy(() => import("./VoiceReportList")),
};
