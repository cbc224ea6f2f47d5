// A file of rates: what is wrong with it, line by line, or what it would change. Nothing of it is saved here.
import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { counted } from "../../design/count";
import { toast } from "../../design/toasts";
import { RateChanges, summaryOf } from "./RateChanges";
import { changesOf, type Edits, keyOf, type RateRow } from "./rateList";
import type { Fault, RatesRead } from "./ratesFile";

interface Props {
  /** As they are, with what was changed here. */
  rows: readonly RateRow[];
  /** Where they are put, in a sentence; null where there is but one list. */
  into: string | null;
  /** What is taken of a file: rows, and null for those that it removes. */
  onTake: (edits: Edits) => void;
}

interface Opened extends RatesRead {
  name: string;
}

export function ImportRates({ rows, into, onTake }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const reading = useMutation({
    mutationFn: async (file: File): Promise<Opened> => {
      const { BYTES_MAX, readRates } = await import("./ratesFile");
      const read =
        file.size > BYTES_MAX
          ? { rows: [], faults: [{ line: null, text: "This file is too large to be a list of rates" }] }
          : readRates(await file.text());
      return { ...read, name: file.name };
    },
    onSuccess: () => {
      setIsWhole(false);
      setIsOpen(true);
    },
    onError: () => toast.error("This file cannot be read."),
  });
  const file = reading.data;
  const named = new Set(file?.rows.map(keyOf));
  const left = rows.filter((row) => !named.has(keyOf(row)));
  const edits: Edits = new Map([
    ...(file?.rows ?? []).map((row) => [keyOf(row), row] as const),
    ...(isWhole ? left.map((row) => [keyOf(row), null] as const) : []),
  ]);
  const changes = changesOf(rows, edits);
  const isWrong = file !== undefined && file.faults.length > 0;
  return (
    <>
      <Button
        ref={opener}
        variant="outlined"
        startIcon={<UploadFileOutlined />}
        loading={reading.isPending}
        loadingPosition="start"
        onClick={() => input.current?.click()}
      >
        Import CSV
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv,text/plain"
        hidden
        aria-label="File of rates"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) reading.mutate(chosen);
          // The same file, mended meanwhile, can be chosen again.
          event.target.value = "";
        }}
      />
      <ConfirmDialog
        open={isOpen}
        title={file?.name ?? ""}
        confirm="Put into the list"
        cancel={isWrong ? "Close" : "Cancel"}
        disabled={isWrong || changes.length === 0}
        opener={opener}
        onConfirm={() => {
          setIsOpen(false);
          onTake(edits);
        }}
        onClose={() => setIsOpen(false)}
      >
        {isWrong && <Faults faults={file.faults} />}
        {file && !isWrong && (
          <>
            <Typography sx={{ mb: 1 }}>
              {counted(file.rows.length, "rate")} in the file.{" "}
              {changes.length > 0 ? summaryOf(changes) : "Nothing would change."}{" "}
              {into && `They are put into ${into}. `}Nothing is saved before you save all rates.
            </Typography>
            {left.length > 0 && (
              <FormControlLabel
                sx={{ mb: 1 }}
                control={
                  <Checkbox checked={isWhole} onChange={(event) => setIsWhole(event.target.checked)} />
                }
                label={`Remove ${counted(left.length, "rate that is", "rates that are")} not in the file`}
              />
            )}
            <RateChanges changes={changes} />
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

const SHOWN = 20;

function Faults({ faults }: { faults: readonly Fault[] }) {
  return (
    <>
      <Alert severity="error" variant="outlined" sx={{ mb: 1 }}>
        {faults[0]?.line === null
          ? "This file cannot be taken."
          : `${counted(faults.length, "line is", "lines are")} wrong. Fix the file and choose it again: until then nothing of it is taken.`}
      </Alert>
      <ul>
        {faults.slice(0, SHOWN).map(({ line, text }) => (
          <li key={line}>
            {line !== null && <b>Line {line}: </b>}
            {text}.
          </li>
        ))}
        {faults.length > SHOWN && <li>and {faults.length - SHOWN} more</li>}
      </ul>
    </>
  );
}
