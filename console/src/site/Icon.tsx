// The site's own icons: strokes in the colour of the text. Decoration, so hidden from screen readers.
const PATHS = {
  networks:
    "M12 20v-8m0 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.5 14.5a6 6 0 0 1 0-9m9 9a6 6 0 0 0 0-9M4.7 17.3a10 10 0 0 1 0-14.6m14.6 14.6a10 10 0 0 0 0-14.6",
  extract: "M4 5h9M4 9h6M4 13h4M16.5 19.5 20 23m-1-7a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z",
  report: "M4 20V10m6 10V4m6 16v-7m4 7H3",
  dispatch: "m3 11 18-8-8 18-2.5-7.5L3 11Zm7.5 2.5L21 3",
  schedule: "M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  phonebook:
    "M6 3h12a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6V3Zm0 4H4m2 5H4m2 5H4m8.5-6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-3.5 6a3.5 3.5 0 0 1 7 0",
  sender: "M3 12V4a1 1 0 0 1 1-1h8l9 9-9 9-9-9Zm5-4h.01",
  pages: "M8 3h8l4 4v10H8V3Zm8 0v4h4M16 17v4H4V7h4",
  voice: "M9 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0V5Zm-4 6a7 7 0 0 0 14 0m-7 7v3m-3 0h6",
  answered:
    "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1Zm9 2 2.5 2.5L21 4",
  keys: "M6 5h.01M12 5h.01M18 5h.01M6 11h.01M12 11h.01M18 11h.01M6 17h.01M12 17h.01M18 17h.01M12 21.5h.01",
  support:
    "M4 14v-2a8 8 0 1 1 16 0v2m-16 0h3v5H5a1 1 0 0 1-1-1v-4Zm16 0h-3v5h2a1 1 0 0 0 1-1v-4Zm-1 5c0 2-3 2.5-6 2.5",
  chat: "M4 5h16v11H9l-5 4V5Zm4 4h8m-8 3h5",
  phone: "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1Z",
  mail: "M3 6h18v13H3V6Zm0 1 9 6 9-6",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "m6 6 12 12M18 6 6 18",
  pause: "M9 5v14M15 5v14",
  play: "M8 5v14l11-7L8 5Z",
  check: "m5 12.5 4.5 4.5L19 7.5",
  arrow: "M5 12h14m-6-6 6 6-6 6",
  plus: "M12 5v14M5 12h14",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 22 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** A star of a rating. */
export function Star({ full }: { full: boolean }) {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d="m12 2.5 2.9 6 6.6.9-4.8 4.6 1.2 6.5L12 17.4l-5.9 3.1 1.2-6.5L2.5 9.4l6.6-.9L12 2.5Z"
        fill={full ? "currentColor" : "none"}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
