// Toasts of five seconds, for every room. No MUI here: visitors see them too.
import { closeSnackbar, enqueueSnackbar, type SnackbarKey, SnackbarProvider } from "notistack";
import { type ReactNode, useEffect, useState } from "react";
import { ApiProblem } from "../api/problem";
import { TOAST_MS } from "./tokens";
import "./toasts.css";

export function ToastRoot({ children }: { children: ReactNode }) {
  useEffect(() => {
    // What is said while another window is looked at is still there for a while when this one is.
    isAway = document.hidden;
    window.addEventListener("blur", leave);
    window.addEventListener("focus", comeBack);
    // A page that comes into sight need not get the keyboard.
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("blur", leave);
      window.removeEventListener("focus", comeBack);
      document.removeEventListener("visibilitychange", look);
      isAway = false;
      for (const it of shown.values()) window.clearTimeout(it.timer);
      shown.clear();
    };
  }, []);
  return (
    <SnackbarProvider
      maxSnack={2}
      // By its own time, which starts again where the same is said again.
      autoHideDuration={null}
      // Titles, ways back and the buttons beside them are at the top, and the way to send may be at the right.
      anchorOrigin={{ vertical: "bottom", horizontal: "center" }}
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
/** What was said this long before a page was left is about the next one: it says why one is sent there. */
const FRESH_MS = 500;

interface Shown {
  key: SnackbarKey;
  /** Until it goes by itself. */
  timer?: number;
  /** It has its place, and its time begins. */
  hasEntered?: boolean;
  isPointedAt?: boolean;
  failed: boolean;
  /** The forms that said it. */
  owners: Set<object>;
  /** When it was said last, in ms. */
  at: number;
}

/** The toasts in sight, by their text. None is shown twice; notistack would count those that are on their way out. */
const shown = new Map<string, Shown>();
let said = 0;

function say(text: string, variant: "success" | "error" | "info", owner: object): void {
  const there = shown.get(text);
  if (there) {
    there.owners.add(owner);
    there.at = performance.now();
    // One that waits for its place begins when it gets it.
    if (there.hasEntered) stay(there);
    return;
  }
  const gone = (_: unknown, __: unknown, key?: SnackbarKey) => {
    if (shown.get(text)?.key === key) shown.delete(text);
  };
  const it: Shown = {
    key: ++said,
    failed: variant === "error",
    owners: new Set([owner]),
    at: performance.now(),
  };
  shown.set(text, it);
  enqueueSnackbar(text, {
    key: it.key,
    variant,
    onClose: gone,
    onEnter: () => {
      it.hasEntered = true;
      stay(it);
    },
    // A tap enters, too, and does not leave.
    SnackbarProps: {
      onPointerEnter: ({ pointerType }) => pointerType === "mouse" && point(it, true),
      onPointerLeave: ({ pointerType }) => pointerType === "mouse" && point(it, false),
    },
  });
}

/** Whether another window or page is looked at. */
let isAway = false;

/** From now on it stays for five seconds, as one that was just said; while it is pointed at or not looked at, for longer. */
function stay(it: Shown): void {
  window.clearTimeout(it.timer);
  // One that was taken away before it had its place is not timed any more.
  const isShown = [...shown.values()].includes(it);
  if (!isShown || isAway || it.isPointedAt) return;
  it.timer = window.setTimeout(() => closeSnackbar(it.key), TOAST_MS);
}

function point(it: Shown, isPointedAt: boolean): void {
  it.isPointedAt = isPointedAt;
  stay(it);
}

function lookAway(away: boolean): void {
  isAway = away;
  for (const it of shown.values()) if (it.hasEntered) stay(it);
}

const leave = () => lookAway(true);
const comeBack = () => lookAway(false);
const look = () => lookAway(document.hidden);

function drop(which: (it: Shown) => boolean): void {
  for (const [text, it] of shown) {
    if (!which(it)) continue;
    shown.delete(text);
    window.clearTimeout(it.timer);
    closeSnackbar(it.key);
  }
}

export type Toasts = ReturnType<typeof toastsOf>;

export function toastsOf(owner: object) {
  /** Its failures go, but for those that another form said, too. */
  const begin = () => drop(({ failed, owners }) => failed && owners.delete(owner) && owners.size === 0);
  return {
    /** It is sent again: what failed before is over. */
    begin,
    /** What failed before and succeeds now is no failure any more. */
    success: (text: string) => {
      begin();
      say(text, "success", owner);
    },
    error: (text: string) => {
      if (performance.now() >= silentUntil) say(text, "error", owner);
    },
    info: (text: string) => say(text, "info", owner),
  };
}

/** The toasts of one form: its failures go when it is sent again or succeeds, and those of other forms stay. */
export function useToasts(): Toasts {
  const [toasts] = useState(() => toastsOf({}));
  return toasts;
}

const NO_FORM = {};

/** The toasts of what is no form. */
export const toast = {
  ...toastsOf(NO_FORM),
  /** Takes the place of all others, and of the failures that follow from it. */
  only: (text: string) => {
    drop(() => true);
    silentUntil = performance.now() + SILENCE_MS;
    say(text, "error", NO_FORM);
  },
  /** Another page is open: failures of the last one are over, but for those said since it was left, which may have been long
   * ago in ms where the next one had to be loaded. */
  turnPage: (leftAt = performance.now()) => {
    const before = leftAt - FRESH_MS;
    drop(({ failed, at }) => failed && at < before);
  },
};

/** Says in the specification's words that a read failed, each time it does. A room that closes says why by itself. */
export function useFailure(error: unknown, text: string | undefined): void {
  useEffect(() => {
    const closes = error instanceof ApiProblem && (error.status === 401 || error.status === 503);
    if (error && text && !closes) toast.error(text);
  }, [error, text]);
}
