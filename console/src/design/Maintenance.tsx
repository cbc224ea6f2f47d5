// The gate before the site and the dashboard. While maintenance is on, visitors and users see its message and nothing
// else; administrators pass. No MUI: visitors load it.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { maintenanceQuery } from "../api/queries";
import { useSession } from "../api/session";
import { Mark } from "./Logo";
import styles from "./Maintenance.module.css";

export function MaintenanceGate({ children }: { children: ReactNode }) {
  const { data } = useQuery(maintenanceQuery);
  const admin = useSession()?.user.role === "admin";
  if (data?.maintenance_mode !== "1" || admin) return children;
  return (
    <main className={styles.screen}>
      <title>We'll Be Back Soon · Talkdrum</title>
      <Mark size={56} />
      <h1>We'll Be Back Soon</h1>
      <p aria-live="polite">{data.message}</p>
      <small>This page looks by itself whether we are back. Messages that are being sent go on.</small>
    </main>
  );
}
