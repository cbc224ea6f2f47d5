// Toasts of five seconds, for every room. No MUI here: visitors see them too.
import { enqueueSnackbar, SnackbarProvider } from "notistack";
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

export const toast = {
  success: (text: string) => enqueueSnackbar(text, { variant: "success" }),
  error: (text: string) => enqueueSnackbar(text, { variant: "error" }),
  info: (text: string) => enqueueSnackbar(text, { variant: "info" }),
};

/** Says in the specification's words that a read failed, each time it does. A room that closes says why by itself. */
export function useFailure(error: unknown, text: string | undefined): void {
  useEffect(() => {
    const closes = error instanceof ApiProblem && (error.status === 401 || error.status === 503);
    if (error && text && !closes) toast.error(text);
  }, [error, text]);
}
