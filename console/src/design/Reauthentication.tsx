// Asks for the password again where the daemon wants a fresh proof of identity, and lets the refused call go on.
import { type ComponentType, useEffect, useState } from "react";
import { reauthenticateBy } from "../api/client";
import { fetchPart } from "./part";

interface Asked {
  Dialog: ComponentType<{ onDone: (proven: boolean) => void }>;
  answer: (proven: boolean) => void;
}

/** Render it once on a page whose calls may need a fresh proof. One dialog serves all that wait for it. */
export function Reauthentication() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    let waiting: Promise<boolean> | null = null;
    const ask = async () => {
      // The dialog has a form, whose libraries are fetched when it is needed: the call fails where they cannot be.
      const Dialog = await fetchPart(() => import("./PasswordDialog"));
      return new Promise<boolean>((answer) => setAsked({ Dialog, answer }));
    };
    return reauthenticateBy(() => {
      waiting ??= ask().finally(() => {
        waiting = null;
      });
      return waiting;
    });
  }, []);
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
