// What a form tells of its draft at the daemon: how far it is saved, and how far it is opened.
export type Saving =
  | { state: "none" | "waiting" | "saved" }
  /** `isFile`: all but a file is saved; `isPassing`: it is tried again; `isFull`: there are as many drafts as may be. */
  | { state: "failed"; text: string; isFile?: boolean; isPassing?: boolean; isFull?: boolean };

export type Opening =
  | { state: "ready" }
  | { state: "reading" }
  /** The draft's files are on their way. */
  | { state: "fetching"; names: string[] }
  /** `isIncomplete`: it has files, and they are not here. */
  | { state: "failed"; text: string; isIncomplete: boolean; retry: () => void }
  /** It was changed elsewhere, and here. */
  | { state: "changed" };
