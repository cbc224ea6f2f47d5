// How to reach the operator, from the platform's settings. What is not set says N/A.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { contactQuery } from "../api/queries";
import styles from "./ContactEntries.module.css";
import { Icon } from "./Icon";

export function ContactEntries() {
  const { data, isPending } = useQuery(contactQuery);
  const shown = (value: string | null | undefined) =>
    isPending ? <Wave width={140} /> : <span>{value || "N/A"}</span>;
  return (
    <ul className={styles.entries} aria-busy={isPending}>
      <Entry icon={<Icon name="chat" />} title="Message Us" text="Our handle or address">
        {shown(data?.address)}
      </Entry>
      <Entry icon={<Icon name="phone" />} title="Text Us" text="A text message, at any hour">
        {data?.phone ? <a href={`sms:${data.phone.replace(/[^\d+]/g, "")}`}>{data.phone}</a> : shown(null)}
      </Entry>
      <Entry icon={<Icon name="mail" />} title="Email Us" text="For anything longer">
        {data?.email ? <a href={`mailto:${data.email}`}>{data.email}</a> : shown(null)}
      </Entry>
    </ul>
  );
}

function Entry(props: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <span className={styles.icon}>{props.icon}</span>
      <h3>{props.title}</h3>
      <p>{props.text}</p>
      <div className={styles.value}>{props.children}</div>
    </li>
  );
}

/** A placeholder of the size of what will come. */
export function Wave({ width }: { width: number }) {
  return <span className={styles.wave} style={{ width }} role="status" aria-label="Loading" />;
}
