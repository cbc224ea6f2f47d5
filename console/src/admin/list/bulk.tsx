// One thing done to several rows: asked first with the numbers, then done one by one, so that each is a change of its own
// in the audit trail; what was refused is said and stays chosen.
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type RaRecord, useListContext, useRefresh } from "react-admin";
import { ApiProblem, messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { toast } from "../../design/toasts";
import { useSelectedRows } from "./selection";

interface BulkRun<Row> {
  /** Does it, and says how it went. */
  start: (rows: readonly Row[], each: (row: Row) => Promise<unknown>) => void;
  busy: boolean;
  /** How many are done. */
  done: number;
}

/** `said(3)` is what is said of three that succeeded. */
export function useBulkRun<Row extends RaRecord>(
  said: (count: number) => string,
  onOver: () => void,
): BulkRun<Row> {
  const { onSelect } = useListContext();
  const refresh = useRefresh();
  const [done, setDone] = useState(0);
  const running = useMutation({
    mutationFn: async ({ rows, each }: { rows: readonly Row[]; each: (row: Row) => Promise<unknown> }) => {
      const failed: { row: Row; problem: unknown }[] = [];
      setDone(0);
      for (const [at, row] of rows.entries()) {
        try {
          await each(row);
        } catch (problem) {
          failed.push({ row, problem });
          // The server does not answer: the rest would fail as well.
          if (problem instanceof ApiProblem && problem.status === 0) {
            failed.push(...rows.slice(at + 1).map((it) => ({ row: it, problem })));
            break;
          }
        }
        setDone(at + 1);
      }
      return { succeeded: rows.length - failed.length, failed };
    },
    onSuccess: ({ succeeded, failed }) => {
      if (succeeded > 0) toast.success(said(succeeded));
      const [first] = failed;
      if (first) {
        const many = failed.length === 1 ? "1 was refused" : `${failed.length} were refused`;
        toast.error(`${many}: ${messageOf(first.problem)}`);
      }
      onSelect(failed.map((it) => it.row.id));
      refresh();
      onOver();
    },
  });
  return { start: (rows, each) => running.mutate({ rows, each }), busy: running.isPending, done };
}

interface Props<Row extends RaRecord> {
  label: string;
  /** Rows it can be done to; the others are left alone, and that is said. */
  can: (row: Row) => boolean;
  each: (row: Row) => Promise<unknown>;
  title: (count: number) => string;
  /** What will happen, in numbers. */
  body: (rows: readonly Row[]) => ReactNode;
  /** What is said of so many that succeeded. */
  said: (count: number) => string;
  danger?: boolean;
  icon?: ReactNode;
}

export function BulkAction<Row extends RaRecord>(props: Props<Row>) {
  const [open, setOpen] = useState(false);
  const chosen = useSelectedRows<Row>();
  const rows = chosen.filter(props.can);
  const running = useBulkRun<Row>(props.said, () => setOpen(false));
  const left = chosen.length - rows.length;
  return (
    <>
      <Button
        size="small"
        color={props.danger ? "error" : "primary"}
        startIcon={props.icon}
        disabled={rows.length === 0}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </Button>
      <ConfirmDialog
        open={open}
        title={props.title(rows.length)}
        confirm={`${props.label} ${rows.length}`}
        danger={props.danger}
        busy={running.busy}
        disabled={rows.length === 0}
        onConfirm={() => running.start(rows, props.each)}
        onClose={() => setOpen(false)}
      >
        {props.body(rows)}
        <SkippedRows count={left} />
        {running.busy && <Progress done={running.done} of={rows.length} />}
      </ConfirmDialog>
    </>
  );
}

export function SkippedRows({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
      {count === 1
        ? "1 of the chosen rows cannot take this and is left alone."
        : `${count} of the chosen rows cannot take this and are left alone.`}
    </Typography>
  );
}

export function Progress({ done, of }: { done: number; of: number }) {
  return (
    <>
      <LinearProgress
        variant="determinate"
        value={of > 0 ? Math.trunc((done * 100) / of) : 0}
        aria-label="Progress"
        sx={{ mt: 2 }}
      />
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }} aria-live="polite">
        {done} of {of}
      </Typography>
    </>
  );
}
