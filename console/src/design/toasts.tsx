// Toasts of five seconds, for every room. No MUI here: visitors see them too.
import { closeSnackbar, enqueueSnackbar, SnackbarProvider } from "notistack";
import { type ReactNode, useEffect } from "react";
import { ApiProblem } from "../api/problem";
import { TOAST_MS } from "./tokens";
import "./toasts.css";

export function ToastRoot({ children }: { children: ReactNode }) {
  return (
    <SnackbarProvider
      maxSnack={3}
      autoHideDuration={TOAST_MS}
      anchorOrigin={{ vertical: "top", horizontal: "right" }}
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

export const toast = {
  success: (text: string) => enqueueSnackbar(text, { variant: "success" }),
  error: (text: string) => {
    if (performance.now() >= silentUntil) enqueueSnackbar(text, { variant: "error" });
  },
  info: (text: string) => enqueueSnackbar(text, { variant: "info" }),
  /** Takes the place of all others, and of the failures that follow from it. */
  only: (text: string) => {
    closeSnackbar();
    silentUntil = performance.now() + SILENCE_MS;
    enqueueSnackbar(text, { variant: "error" });
  },
};

/** Says in the specification's words that a read failed, each time it does. A room that closes says why by itself. */
export function useFailure(error: unknown, text: string | undefined): void {
  useEffect(() => {
    const closes = error instanceof ApiProblem && (error.status === 401 || error.status === 503);
    if (error && text && !closes) toast.error(text);
  }, [error, text]);
}
