// /dashboard/admin/rates: what a page costs by where it goes. The list is edited here and saved whole, from the state that
// was seen; what another saved meanwhile is shown first, with what was changed here laid over it.
import Add from "@mui/icons-material/Add";
import Download from "@mui/icons-material/FileDownloadOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useRefresh } from "react-admin";
import { useBlocker } from "react-router-dom";
import { api, ask, saveFile } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { own, ratesQuery } from "../../api/queries";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { counted } from "../../design/count";
import { PageHeader } from "../../design/PageHeader";
import { FormAlert } from "../../design/states";
import { toast, useToasts } from "../../design/toasts";
import { ImportRates } from "./ImportRates";
import { PriceHistory } from "./PriceHistory";
import { RateChanges, summaryOf } from "./RateChanges";
import { RateDialog } from "./RateDialog";
import { RateTable } from "./RateTable";
import {
  bodyOf,
  changesOf,
  type Edits,
  edited,
  NO_EDITS,
  RATES_MAX,
  type RateRow,
  rowsOf,
  shownRows,
  undone,
  wantedRows,
} from "./rateList";

const listKey = () => own("rates");

/** Offered; a daemon may know others. */
const NETWORKS = ["mtn", "airtel", "glo", "9mobile"];

export default function Rates() {
  const client = useQueryClient();
  const refresh = useRefresh();
  const toasts = useToasts();
  const list = useQuery({ queryKey: listKey(), queryFn: () => ask(api.GET("/admin/rates")) });
  const [edits, setEdits] = useState<Edits>(NO_EDITS);
  /** The row that is edited; `new` for one to be added. */
  const [open, setOpen] = useState<RateRow | "new" | null>(null);
  /** The version that the question is about. */
  const [asked, setAsked] = useState<string | null>(null);
  const [isLate, setIsLate] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);

  const stored = list.data ? rowsOf(list.data.rates) : [];
  const wanted = wantedRows(stored, edits);
  const changes = changesOf(stored, edits);
  const leave = useUnsaved(changes.length > 0);

  const save = useMutation({
    mutationFn: (expect: string) => ask(api.PUT("/admin/rates", { body: { rates: bodyOf(wanted), expect } })),
    onMutate: toasts.begin,
    onSuccess: ({ rates, message }) => {
      client.setQueryData(listKey(), rates);
      void client.invalidateQueries({ queryKey: ratesQuery.queryKey });
      setEdits(NO_EDITS);
      setIsLate(false);
      setAsked(null);
      toasts.success(message);
      refresh();
    },
    onError: async (problem) => {
      if (!(problem instanceof ApiProblem && problem.code === "rates_changed")) return;
      setAsked(null);
      await list.refetch();
      setIsLate(true);
    },
  });
  const exporting = useMutation({
    mutationFn: async () => {
      const { fileOf } = await import("./ratesFile");
      saveFile(new Blob([fileOf(wanted)], { type: "text/csv;charset=utf-8" }), "rates.csv");
    },
    onSuccess: () => toast.success(`The file has ${counted(wanted.length, "rate")}.`),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const rowOpen = open === "new" ? null : open;
  return (
    <>
      <PageHeader
        title="Rates"
        text="What a page of a short message costs by where it goes. Where no rate is in force, the unit price is: that in Nigeria, or that abroad."
        actions={
          <>
            <ImportRates rows={wanted} onTake={(taken) => setEdits(new Map([...edits, ...taken]))} />
            <Button
              variant="outlined"
              startIcon={<Download />}
              loading={exporting.isPending}
              loadingPosition="start"
              disabled={wanted.length === 0}
              onClick={() => exporting.mutate()}
            >
              Export
            </Button>
            <Button
              variant={changes.length > 0 ? "outlined" : "contained"}
              startIcon={<Add />}
              disabled={!list.data || wanted.length >= RATES_MAX}
              onClick={() => setOpen("new")}
            >
              Add a rate
            </Button>
          </>
        }
      />
      {isLate && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 2 }} onClose={() => setIsLate(false)}>
          The rates were changed meanwhile, and nothing of yours was saved. Below they are as they are now,
          with your changes on top: look through them and save again.
        </Alert>
      )}
      {changes.length > 0 && (
        <Card
          component="section"
          aria-label="Unsaved changes"
          sx={{
            position: "sticky",
            top: 80,
            zIndex: 2,
            mb: 2,
            px: 2,
            py: 1.5,
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 1.5,
          }}
        >
          <Typography role="status" sx={{ flex: "1 1 200px", fontWeight: 600 }}>
            Not saved yet: {summaryOf(changes)}
          </Typography>
          <Box sx={{ display: "flex", gap: 1 }}>
            <Button color="inherit" onClick={() => setEdits(NO_EDITS)}>
              Discard
            </Button>
            <Button
              ref={opener}
              variant="contained"
              onClick={() => {
                save.reset();
                setAsked(list.data?.version ?? "");
              }}
            >
              Save rates
            </Button>
          </Box>
        </Card>
      )}
      <RateTable
        result={list}
        rows={shownRows(stored, edits)}
        onAdd={() => setOpen("new")}
        onEdit={setOpen}
        onRemove={(row) =>
          setEdits(stored.some((it) => isAt(it, row)) ? edited(edits, null, row) : undone(edits, row))
        }
        onUndo={(row) => setEdits(undone(edits, row))}
      />
      <PriceHistory prices="rates" />
      {open && (
        <RateDialog
          row={rowOpen}
          others={wanted.filter((it) => rowOpen === null || !isAt(it, rowOpen))}
          networks={[...new Set([...NETWORKS, ...wanted.map((it) => it.network)])].filter(Boolean)}
          onDone={(row) => {
            setOpen(null);
            setEdits(edited(edits, row, rowOpen));
          }}
          onClose={() => setOpen(null)}
        />
      )}
      <ConfirmDialog
        open={asked !== null}
        title="Change the rates?"
        confirm="Change the rates"
        busy={save.isPending}
        opener={opener}
        onConfirm={() => asked !== null && save.mutate(asked)}
        onClose={() => setAsked(null)}
      >
        <FormAlert text={save.isError ? messageOf(save.error) : null} />
        <Typography color="textSecondary" sx={{ mb: 2 }}>
          {summaryOf(changes)} Quotes that were given keep theirs.
        </Typography>
        <RateChanges changes={changes} />
      </ConfirmDialog>
      <ConfirmDialog
        open={leave.isAsked}
        title="Leave without saving?"
        confirm="Leave"
        cancel="Stay"
        danger
        maxWidth="xs"
        onConfirm={leave.go}
        onClose={leave.stay}
      >
        What you changed of the rates is not saved: {summaryOf(changes)}
      </ConfirmDialog>
    </>
  );
}

const isAt = (a: RateRow, b: RateRow) => a.prefix === b.prefix && a.network === b.network;

/** Asks before another page is opened or the window is closed, while there is something to lose. */
function useUnsaved(isDirty: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isDirty]);
  return {
    isAsked: blocker.state === "blocked",
    go: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  };
}
