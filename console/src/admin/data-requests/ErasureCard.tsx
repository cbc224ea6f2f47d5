// How far an erasure is, and how it ended.
import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { messageOf } from "../../api/problem";
import { formatPhone } from "../../design/phone";
import { type Erasure, isRefusal, type Progress, rowsErased } from "./erasure";
import { records, tableName } from "./tables";

export function ErasureCard({ erasure }: { erasure: Erasure }) {
  const { progress, problem, done } = erasure;
  if (progress && erasure.isRunning) return <Running progress={progress} />;
  if (erasure.isBusy) {
    return (
      <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
        A number that you began to erase is still being erased. A message says when that is over.
      </Alert>
    );
  }
  if (progress && problem) {
    return <Failed problem={problem} progress={progress} onAgain={() => erasure.begin(progress.number)} />;
  }
  return done ? <Done progress={done} /> : null;
}

function Running({ progress }: { progress: Progress }) {
  return (
    <Card component="section" aria-label="Erasing" sx={{ p: 2.5, mb: 2 }}>
      <Typography variant="h2" sx={{ mb: 1.5 }}>
        Erasing {formatPhone(progress.number)}
      </Typography>
      <LinearProgress aria-label="Erasing" sx={{ mb: 1.5 }} />
      <div role="status">
        <Tables progress={progress} />
        {progress.next && <Typography>Next: {tableName(progress.next)}</Typography>}
      </div>
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        You can open other pages meanwhile. Keep this tab open and stay signed in: otherwise it stops, and you
        erase the number again to go on.
      </Typography>
    </Card>
  );
}

function Tables({ progress: { tables } }: { progress: Pick<Progress, "tables"> }) {
  return <Rows name="Erased" tables={tables} />;
}

function Rows({ name, tables }: { name: string; tables: Progress["tables"] }) {
  return (
    <Box component="ul" aria-label={name} sx={{ m: 0, mb: 1, pl: 2.5 }}>
      {tables.map((it) => (
        <li key={it.table}>
          {tableName(it.table)}: {records(it.rows)}
        </li>
      ))}
    </Box>
  );
}

interface FailedProps {
  problem: Error;
  progress: Progress;
  onAgain: () => void;
}

function Failed({ problem, progress, onAgain }: FailedProps) {
  const isBegun = rowsErased(progress) > 0;
  return (
    <Alert severity="error" variant="outlined" sx={{ mb: 2 }}>
      <AlertTitle>
        {formatPhone(progress.number)} {isBegun ? "is erased in part" : "was not erased"}
      </AlertTitle>
      {messageOf(problem)}
      {isBegun && <Tables progress={progress} />}
      {isBegun && <div>What was erased stays so. Trying again goes on with what is left.</div>}
      {!isBegun && !isRefusal(problem) && (
        <div>Trying again does no harm, also where some of it was done.</div>
      )}
      <div>
        <Button color="inherit" variant="outlined" onClick={onAgain} sx={{ mt: 1 }}>
          Try again
        </Button>
      </div>
    </Alert>
  );
}

function Done({ progress }: { progress: Progress }) {
  const all = rowsErased(progress);
  return (
    <Alert severity="success" variant="outlined" sx={{ mb: 2 }}>
      <AlertTitle>
        {all === 0
          ? `${formatPhone(progress.number)}: ${progress.stays.length > 0 ? "nothing more can be erased yet" : "there was nothing left to erase"}`
          : `${formatPhone(progress.number)} was erased from ${records(all)}`}
      </AlertTitle>
      <Tables progress={progress} />
      {progress.stays.length > 0 && (
        <>
          <div>
            These hold the number until they are handled, sent or told. Erase it again two days later.
          </div>
          <Rows name="Not over" tables={progress.stays} />
        </>
      )}
      {!progress.isClean && (
        <div>
          Free places of the database may hold it until they are used again: see{" "}
          <Link href="/handbook/privacy.html#what-a-deleted-row-leaves-behind">
            What a deleted row leaves behind
          </Link>
          .
        </div>
      )}
    </Alert>
  );
}
