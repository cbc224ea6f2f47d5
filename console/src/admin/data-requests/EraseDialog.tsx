// Asked before a number is erased: what goes, what stays, and to opt it out first.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { formatPhone } from "../../design/phone";
import { isErasable, outcomeText, records, type Subject, type SubjectTable, tableName } from "./tables";

interface Props {
  open: boolean;
  subject: Subject;
  onConfirm: () => void;
  onClose: () => void;
}

export function EraseDialog({ open, subject, onConfirm, onClose }: Props) {
  const { number, tables } = subject;
  const erased = tables.filter(isErasable);
  const kept = tables.filter((it) => !isErasable(it));
  const optingOut = useMutation({
    gcTime: 0,
    mutationFn: () =>
      ask(
        api.POST("/admin/optouts", {
          body: { phone: number, reach: "all", note: "Asked for before the number is erased" },
        }),
      ),
  });
  return (
    <ConfirmDialog
      open={open}
      title={`Erase ${formatPhone(number)} for good?`}
      confirm="Erase"
      danger
      disabled={optingOut.isPending}
      maxWidth="md"
      typed={number}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Stack sx={{ gap: 2 }}>
        <OptOutFirst
          isOptedOut={isOptedOut(subject) || optingOut.isSuccess}
          isBusy={optingOut.isPending}
          problem={optingOut.error}
          onOptOut={() => optingOut.mutate()}
        />
        <Typography>
          The number is erased from <strong>{sum(erased)}</strong>, over all customers. This cannot be undone.
        </Typography>
        <Part title="What is erased" tables={erased} />
        {kept.length > 0 && <Part title="What stays" tables={kept} />}
        <Typography>
          Opt-outs are kept in any case. So are the ledger, reports and the audit trail, which names the last
          four digits of the number and that you erased it. Backups, exports and what carriers hold are not
          changed: erase again after going back to a backup.
        </Typography>
      </Stack>
    </ConfirmDialog>
  );
}

function sum(tables: readonly SubjectTable[]): string {
  const all = tables.reduce((total, it) => total + it.count, 0);
  return records(
    all,
    tables.some((it) => it.has_more),
  );
}

function Part({ title, tables }: { title: string; tables: readonly SubjectTable[] }) {
  return (
    <Box component="section" aria-label={title}>
      <Typography variant="h3" sx={{ mb: 0.5 }}>
        {title}
      </Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {tables.map((it) => (
          <Typography component="li" key={it.table} sx={{ mb: 0.5 }}>
            <strong>
              {tableName(it.table)}, {records(it.count, it.has_more)}.
            </strong>{" "}
            {outcomeText(it)}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}

/** Whether the list of all customers has it among the rows that are shown, for every message but codes. */
const isOptedOut = ({ tables }: Subject) =>
  tables
    .filter((it) => it.table === "suppressions")
    .flatMap((it): Record<string, unknown>[] => it.rows)
    .some((row) => row.scope === 0 && row.reach === "all");

interface OptOutProps {
  isOptedOut: boolean;
  isBusy: boolean;
  problem: Error | null;
  onOptOut: () => void;
}

/** What is erased is written to again by the next import that has it, unless it is opted out. */
function OptOutFirst({ isOptedOut, isBusy, problem, onOptOut }: OptOutProps) {
  if (isOptedOut) {
    return (
      <Alert severity="success" variant="outlined">
        The number is opted out for all customers, and stays so when it is erased.
      </Alert>
    );
  }
  return (
    <div>
      <Alert severity="warning" variant="outlined">
        Opt the number out first, for all customers. Otherwise the next customer who uploads it sends to it
        again.
        <div>
          <Button color="inherit" variant="outlined" loading={isBusy} onClick={onOptOut} sx={{ mt: 1 }}>
            Opt it out
          </Button>
        </div>
      </Alert>
      {problem && (
        <Alert severity="error" variant="outlined" sx={{ mt: 1 }}>
          {messageOf(problem)}
        </Alert>
      )}
    </div>
  );
}
