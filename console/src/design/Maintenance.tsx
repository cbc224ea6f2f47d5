// The gate before the site and the dashboard. While maintenance is on, visitors and users see its message and nothing
// else; administrators pass. No MUI: visitors load it.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { unavailable } from "../api/client";
import { maintenanceQuery } from "../api/queries";
import { useSession } from "../api/session";
import { Mark } from "./Logo";
import styles from "./Maintenance.module.css";
import { useTitle } from "./title";

export function MaintenanceGate({ children }: { children: ReactNode }) {
  const { data, refetch } = useQuery(maintenanceQuery);
  useEffect(() => {
    const ask = () => void refetch({ cancelRefetch: false });
    unavailable.add(ask);
    return () => {
      unavailable.delete(ask);
    };
  }, [refetch]);
  const admin = useSession()?.user.role === "admin";
  if (data?.maintenance_mode !== "1" || admin) return children;
  return <Closed message={data.message} />;
}

function Closed({ message }: { message: string }) {
  useTitle("We'll Be Back Soon");
  return (
    <main className={styles.screen}>
      <Mark size={56} />
      <h1>We'll Be Back Soon</h1>
      <p aria-live="polite">{message}</p>
      <small>This page looks by itself whether we are back. Messages that are being sent go on.</small>
    </main>
  );
}
