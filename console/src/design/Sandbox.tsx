// Said in the bar of every room while stand-ins surround the daemon. No MUI: visitors see it too.
import { useQuery } from "@tanstack/react-query";
import { readyQuery } from "../api/queries";
import styles from "./Sandbox.module.css";

export function SandboxBadge() {
  const { data } = useQuery(readyQuery);
  if (!data?.sandbox) return null;
  return (
    <aside className={styles.badge} aria-label="Sandbox" title="No real messages, no real money">
      <strong>Sandbox</strong> <span>No real messages, no real money</span>
    </aside>
  );
}
