// How a table's row is drawn on a phone: two lines, what it is and how much on the first, the rest on the second.

/**
 * Where a cell goes on a phone: `title` and `figure` open the row; `plain` follows on the second line, and so does
 * `labelled`, with its column's name before it; `status` and `actions` end it; `choose` is the box before the title.
 */
export type PhoneRole =
  | "title"
  | "figure"
  | "plain"
  | "labelled"
  | "status"
  | "actions"
  | "choose"
  | "hidden";

interface PhoneColumn {
  phone?: PhoneRole;
  actions?: boolean;
}

/** The roles of a table's columns: where none is named the title, it is the first. */
export function phoneRoles(columns: readonly PhoneColumn[]): PhoneRole[] {
  const titled = columns.some((it) => it.phone === "title");
  return columns.map((it, at) => {
    if (it.phone) return it.phone;
    if (it.actions) return "actions";
    return at === 0 && !titled ? "title" : "labelled";
  });
}

/**
 * On what a cell shows where it is as expected, such as a status of success or a count of nothing: a phone has no room for
 * that, and leaves the cell out.
 */
export const USUAL = { "data-usual": "" } as const;

/** Two lines instead of a row, below 640 px. Cells say their part by `data-phone`. */
export const STACKED = {
  "@media (max-width: 639.95px)": {
    thead: { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" },
    "table, tbody": { display: "block", width: "100%" },
    tr: {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
      columnGap: 1.5,
      rowGap: 0.25,
      px: 2,
      py: 1.25,
      borderBottom: 1,
      borderColor: "divider",
    },
    // Between the two lines.
    "tr::before": { content: '""', order: 2, flexBasis: "100%", height: 0 },
    // As deep as MUI's and react-admin's own rules, and after them.
    "tr > td.MuiTableCell-root": {
      display: "inline-flex",
      alignItems: "center",
      gap: 0.75,
      order: 3,
      width: "auto",
      minWidth: 0,
      border: 0,
      p: 0,
      textAlign: "left",
      fontSize: "0.8125rem",
      color: "text.secondary",
      overflowWrap: "anywhere",
      // MUI turns a right-aligned cell round.
      flexDirection: "row",
    },
    'tr > td.MuiTableCell-root[data-phone="title"]': {
      display: "block",
      order: 0,
      flex: "1 1 50%",
      fontSize: "0.9375rem",
      color: "text.primary",
    },
    'tr > td.MuiTableCell-root[data-phone="figure"]': {
      order: 1,
      ml: "auto",
      alignSelf: "flex-start",
      whiteSpace: "nowrap",
      fontSize: "0.9375rem",
      fontWeight: 600,
      color: "text.primary",
    },
    'tr > td.MuiTableCell-root[data-phone="status"]': { order: 4, ml: "auto" },
    'tr > td.MuiTableCell-root[data-phone="actions"]': { order: 5, ml: "auto" },
    // Where nothing ends the first line, buttons do; and a state leaves the end to them.
    'tr:not(:has(> td[data-phone="figure"])) > td.MuiTableCell-root[data-phone="actions"]': { order: 1 },
    'tr:has(> td[data-phone="actions"]:not(:empty)) > td.MuiTableCell-root[data-phone="status"]': { ml: 0 },
    'tr > td.MuiTableCell-root[data-phone="choose"]': { order: -1, width: 32, ml: -1 },
    'tr > td.MuiTableCell-root[data-phone="hidden"]': { display: "none" },
    "tr > td.MuiTableCell-root:has([data-usual])": { display: "none" },
    // Two lines of a cell follow one another.
    'td[data-phone="plain"] [data-lines]': { display: "flex", flexWrap: "wrap", columnGap: "0.4em" },
    'td[data-phone="labelled"]::before': { content: "attr(data-label)", whiteSpace: "nowrap", flexShrink: 0 },
  },
} as const;
