// Toasts of five seconds, for every room. No MUI here: visitors see them too.
import { enqueueSnackbar, SnackbarProvider } from "notistack";
import type { ReactNode } from "react";
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
