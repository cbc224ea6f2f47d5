// Asks for the password again where the daemon wants a fresh proof of identity, and lets the refused call go on.
import { type ComponentType, useEffect, useState } from "react";
import { reauthenticateBy } from "../api/client";
import { unreachable } from "../api/problem";

interface Asked {
  Dialog: ComponentType<{ onDone: (proven: boolean) => void }>;
  answer: (proven: boolean) => void;
}

/** The dialog has a form, whose libraries are fetched when it is needed: the call fails where they cannot be. */
async function loadDialog() {
  try {
    return (await import("./PasswordDialog")).default;
  } catch {
    throw unreachable();
  }
}

/** Render it once on a page whose calls may need a fresh proof. */
export function Reauthentication() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(
    () =>
      reauthenticateBy(async () => {
        const Dialog = await loadDialog();
        return new Promise((answer) => setAsked({ Dialog, answer }));
      }),
    [],
  );
  if (!asked) return null;
  const { Dialog, answer } = asked;
  return (
    <Dialog
      onDone={(proven) => {
        setAsked(null);
        answer(proven);
      }}
    />
  );
}
