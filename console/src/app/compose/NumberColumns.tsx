// Which columns of the files are read as numbers: said where a table has several, and chosen here.
import Alert from "@mui/material/Alert";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";

/** What the daemon says of the columns of the files. */
export interface ColumnsSeen {
  number_columns?: string[];
  unread_columns?: string[];
  notices?: string[];
}

/** Without the notices that are of something else, as a quote has of the times. */
export function columnsOf(seen: ColumnsSeen): ColumnsSeen {
  const { number_columns, unread_columns = [], notices = [] } = seen;
  const titles = unread_columns.map((column) => `'${shownTitle(column)}'`);
  const isOfColumn = (notice: string) => titles.some((title) => notice.includes(title));
  return { number_columns, unread_columns, notices: notices.filter(isOfColumn) };
}

/** Of a title in a notice, as the daemon's `shown_title` cuts it. */
const TITLE_SIGNS = 60;

function shownTitle(column: string): string {
  return [...column.replace(/\p{Cc}/gu, "")].slice(0, TITLE_SIGNS).join("");
}

interface Props {
  seen: ColumnsSeen | undefined;
  onChoose: (columns: string[]) => void;
}

export function NumberColumns({ seen, onChoose }: Props) {
  const read = seen?.number_columns ?? [];
  const all = [...read, ...(seen?.unread_columns ?? [])];
  if (read.length === 0 || all.length < 2) return null;
  const notices = seen?.notices ?? [];
  return (
    <Alert severity={notices.length > 0 ? "warning" : "info"} variant="outlined" sx={{ mt: 1 }}>
      {notices.map((notice) => (
        <div key={notice}>{notice}.</div>
      ))}
      {notices.length === 0 &&
        (seen?.unread_columns?.length
          ? "The numbers of the chosen columns are read."
          : "The numbers of several columns are read.")}
      <FormGroup row role="group" aria-label="Columns with the numbers">
        {all.map((column) => {
          const checked = read.includes(column);
          return (
            <FormControlLabel
              key={column}
              label={column}
              control={<Checkbox size="small" checked={checked} disabled={checked && read.length === 1} />}
              onChange={() => onChoose(toggled(read, column))}
            />
          );
        })}
      </FormGroup>
    </Alert>
  );
}

/** With the column, or without it where it was in. */
function toggled(read: readonly string[], column: string): string[] {
  return read.includes(column) ? read.filter((it) => it !== column) : [...read, column];
}
