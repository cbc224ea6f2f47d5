// Where an opt-out came from, in words.
const SOURCES: Readonly<Record<string, string>> = {
  manual: "Added by hand",
  stop: "STOP, or key 9 in a call",
  import: "From a file",
  carrier: "Told by the carrier",
};

/** One that has no words yet is shown as the daemon writes it. */
export const optOutSource = (source: string) => SOURCES[source] ?? source;
