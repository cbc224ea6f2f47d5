// As the system, by day, by night. No MUI: it stands at the foot of public pages, too.
import { useId } from "react";
import styles from "./SchemeSwitch.module.css";
import { choose, SCHEMES, useScheme } from "./scheme";

const WORDS = { system: "System", light: "Light", dark: "Dark" } as const;

export function SchemeSwitch() {
  const scheme = useScheme();
  const name = useId();
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">Colours</legend>
      {SCHEMES.map((it) => (
        <label key={it}>
          <input type="radio" name={name} checked={scheme === it} onChange={() => choose(it)} />
          <span>{WORDS[it]}</span>
        </label>
      ))}
    </fieldset>
  );
}
