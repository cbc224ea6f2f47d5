// What is held about one number: a table each, its first rows where one is opened, and what can be done with it.
import ExpandMore from "@mui/icons-material/ExpandMore";
import Download from "@mui/icons-material/FileDownloadOutlined";
import Accordion from "@mui/material/Accordion";
import AccordionDetails from "@mui/material/AccordionDetails";
import AccordionSummary from "@mui/material/AccordionSummary";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, saveFile } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { formatPhone } from "../../design/phone";
import { EmptyState } from "../../design/states";
import { toast } from "../../design/toasts";
import { StatusChip } from "../../design/values";
import { EraseDialog } from "./EraseDialog";
import { Rows } from "./Rows";
import {
  fileName,
  isErasable,
  outcomeChip,
  outcomeText,
  records,
  type Subject,
  type SubjectTable,
  TABLES,
  tableName,
} from "./tables";

interface Props {
  subject: Subject;
  /** While a number is erased no other one is. */
  isErasing: boolean;
  onErase: (number: string) => void;
}

export function Held({ subject, isErasing, onErase }: Props) {
  const [asking, setAsking] = useState(false);
  const { number, tables, on_dnd_list } = subject;
  return (
    <Box component="section" aria-labelledby="held">
      <Stack sx={{ flexDirection: "row", flexWrap: "wrap", alignItems: "center", gap: 1.5, mb: 2 }}>
        <Typography id="held" variant="h2" sx={{ flex: "1 1 240px" }}>
          {formatPhone(number)}
        </Typography>
        <ExportButton number={number} />
        {tables.some(isErasable) && (
          <Button variant="outlined" color="error" disabled={isErasing} onClick={() => setAsking(true)}>
            Erase…
          </Button>
        )}
      </Stack>
      {on_dnd_list && (
        <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
          The number is on the regulator's Do-Not-Disturb list: advertising to it is not sent. Erasing does
          not change that list.
        </Alert>
      )}
      {tables.length === 0 ? (
        <Card>
          <EmptyState
            title={`Nothing is held about ${formatPhone(number)}`}
            text="No record names this number. Check that it is typed as the person gave it; you can export this answer, too."
          />
        </Card>
      ) : (
        <Tables tables={tables} />
      )}
      <EraseDialog
        open={asking}
        subject={subject}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          onErase(number);
        }}
      />
    </Box>
  );
}

function Tables({ tables }: { tables: readonly SubjectTable[] }) {
  return (
    <Card>
      {tables.map((it, at) => (
        <Accordion
          key={it.table}
          disableGutters
          square
          elevation={0}
          slotProps={{ transition: { unmountOnExit: true } }}
          sx={{ "&::before": { display: "none" }, borderTop: at === 0 ? 0 : 1, borderColor: "divider" }}
        >
          <AccordionSummary
            expandIcon={<ExpandMore />}
            id={`${it.table}-head`}
            aria-controls={`${it.table}-rows`}
            sx={{ px: { xs: 2, sm: 2.5 } }}
          >
            <TableHead of={it} />
          </AccordionSummary>
          <AccordionDetails id={`${it.table}-rows`} sx={{ px: { xs: 2, sm: 2.5 }, pb: 2 }}>
            <Typography variant="body2" sx={{ mb: 1.5 }}>
              <strong>If you erase the number:</strong> {outcomeText(it)}
            </Typography>
            {it.count > it.rows.length && (
              <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
                The first {it.rows.length} of {records(it.count, it.has_more)}. The export has them all.
              </Typography>
            )}
            <Rows of={it} />
          </AccordionDetails>
        </Accordion>
      ))}
    </Card>
  );
}

function TableHead({ of: it }: { of: SubjectTable }) {
  return (
    <Box
      component="span"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        columnGap: 2,
        rowGap: 0.5,
        flex: 1,
        pr: 1,
      }}
    >
      <Box component="span" sx={{ flex: "1 1 260px" }}>
        <Typography component="span" sx={{ display: "block", fontWeight: 650 }}>
          {tableName(it.table)}
        </Typography>
        <Typography component="span" variant="body2" color="textSecondary" sx={{ display: "block" }}>
          {TABLES[it.table]?.holds}
        </Typography>
      </Box>
      <Typography
        component="span"
        variant="body2"
        sx={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}
      >
        {records(it.count, it.has_more)}
      </Typography>
      <Box component="span" sx={{ minWidth: { sm: 130 } }}>
        <StatusChip status={outcomeChip(it)} tone={TONES[it.on_erase] ?? "neutral"} />
      </Box>
    </Box>
  );
}

const TONES: Readonly<Record<string, "error" | "warning" | "info" | "neutral">> = {
  removed: "error",
  masked: "warning",
  digest: "info",
  kept: "neutral",
};

/** In bytes: the last line of an export is shorter. */
const END = 100;

/** All rows as a file. */
function ExportButton({ number }: { number: string }) {
  const exporting = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const file: Blob = await ask(
        api.GET("/admin/subjects/{number}/export", { params: { path: { number } }, parseAs: "blob" }),
      );
      // The last line says that it is whole: what broke off must not be given to the person.
      if (!/\{"complete":\s*true\}\s*$/.test(await file.slice(-END).text())) {
        throw new ApiProblem(0, "cut_off", "The file was cut off. Export it again.");
      }
      saveFile(file, fileName(number));
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <Button
      variant="outlined"
      startIcon={<Download />}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      Export
    </Button>
  );
}
