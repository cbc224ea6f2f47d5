// A public page of text: heading, lead and sections.
import type { ReactNode } from "react";
import { useDescription, useTitle } from "../design/title";
import type { Section } from "./content/legal";
import styles from "./PublicPage.module.css";

interface Props {
  title: string;
  /** What the page says, in a sentence; also for search engines. */
  lead: string;
  children: ReactNode;
}

export function PublicPage({ title, lead, children }: Props) {
  useTitle(title);
  useDescription(lead);
  return (
    <article className={styles.page}>
      <h1>{title}</h1>
      <p className={styles.lead}>{lead}</p>
      {children}
    </article>
  );
}

export function Sections({ sections }: { sections: readonly Section[] }) {
  return sections.map((section) => (
    <section key={section.title}>
      <h2>{section.title}</h2>
      {section.text.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  ));
}
