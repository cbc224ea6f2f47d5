// Toasts of five seconds, for every room. No MUI here: visitors see them too.
import { closeSnackbar, enqueueSnackbar, type SnackbarKey, SnackbarProvider } from "notistack";
import { type ReactNode, useEffect } from "react";
import { ApiProblem } from "../api/problem";
import { TOAST_MS } from "./tokens";
import "./toasts.css";

export function ToastRoot({ children }: { children: ReactNode }) {
  return (
    <SnackbarProvider
      maxSnack={3}
      autoHideDuration={TOAST_MS}
      // Between a page's heading and its buttons, and above those of a dialog.
      anchorOrigin={{ vertical: "top", horizontal: "center" }}
      preventDuplicate
      classes={{ root: "toast", containerRoot: "toasts" }}
    >
      {children}
    </SnackbarProvider>
  );
}

/** Until when failures are not told, in ms: they follow from what was said last. */
let silentUntil = 0;
/** A page that is left has asked for all of its data by then. */
const SILENCE_MS = 1_000;

/** Failures that may still be shown. */
const failures = new Set<SnackbarKey>();

function fail(text: string): void {
  const key = enqueueSnackbar(text, { variant: "error", onExited: (_, key) => failures.delete(key) });
  failures.add(key);
}

export const toast = {
  /** What failed before and succeeds now is no failure any more. */
  success: (text: string) => {
    for (const key of failures) closeSnackbar(key);
    failures.clear();
    enqueueSnackbar(text, { variant: "success" });
  },
  error: (text: string) => {
    if (performance.now() >= silentUntil) fail(text);
  },
  info: (text: string) => enqueueSnackbar(text, { variant: "info" }),
  /** Takes the place of all others, and of the failures that follow from it. */
  only: (text: string) => {
    closeSnackbar();
    silentUntil = performance.now() + SILENCE_MS;
    fail(text);
  },
};

/** Says in the specification's words that a read failed, each time it does. A room that closes says why by itself. */
export function useFailure(error: unknown, text: string | undefined): void {
  useEffect(() => {
    const closes = error instanceof ApiProblem && (error.status === 401 || error.status === 503);
    if (error && text && !closes) toast.error(text);
  }, [error, text]);
}
