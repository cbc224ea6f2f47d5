// /dashboard/admin/rates: what a page costs by where it goes, for all and by rate plans. The lists are edited here one after
// the other and saved together, from the state that was seen; what another saved meanwhile is shown first, with what was
// changed here laid over it.
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
import { rateListsQuery, ratesQuery } from "../../api/queries";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { counted } from "../../design/count";
import { PageHeader } from "../../design/PageHeader";
import { FormAlert } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { toast, useToasts } from "../../design/toasts";
import { ImportRates } from "./ImportRates";
import { ListChooser } from "./ListChooser";
import { PriceHistory } from "./PriceHistory";
import { RateChanges, summaryOf } from "./RateChanges";
import { RateDialog } from "./RateDialog";
import { RateTable } from "./RateTable";
import { type Edits, edited, keyOf, NO_EDITS, RATES_MAX, type RateRow, shownRows, undone } from "./rateList";
import {
  allChanges,
  bodyOfLists,
  type Draft,
  FOR_ALL,
  faultOf,
  listName,
  listsOf,
  NO_DRAFT,
  type RateList,
  unsavedPlans,
  whereOf,
} from "./rateLists";

/** Offered; a daemon may know others. */
const NETWORKS = ["mtn", "airtel", "glo", "9mobile"];

export default function Rates() {
  const client = useQueryClient();
  const refresh = useRefresh();
  const toasts = useToasts();
  const { filters, setFilters } = useTableState({ filters: ["plan"] });
  const list = useQuery(rateListsQuery());
  const [draft, setDraft] = useState<Draft>(NO_DRAFT);
  /** The row that is edited; `new` for one to be added. */
  const [open, setOpen] = useState<RateRow | "new" | null>(null);
  /** The version that the question is about. */
  const [asked, setAsked] = useState<string | null>(null);
  const [isLate, setIsLate] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);

  const lists = listsOf(list.data, draft);
  // A plan in the address that is gone: the list for all.
  const chosen = lists.find((it) => it.name === filters.plan) ?? (lists[0] as RateList);
  const { name, stored, edits, wanted } = chosen;
  const isPlan = name !== FOR_ALL;
  const hasPlans = lists.length > 1;
  const changes = allChanges(lists);
  const fault = faultOf(lists);
  const summary =
    hasPlans && changes.length > 0 ? `${summaryOf(changes)} ${whereOf(lists)}` : summaryOf(changes);
  const setEdits = (next: Edits) => setDraft(new Map([...draft, [name, next]]));
  const choose = (plan: string) => setFilters({ plan, q: "" });
  const leave = useUnsaved(changes.length > 0);

  const save = useMutation({
    mutationFn: (expect: string) => ask(api.PUT("/admin/rates", { body: { ...bodyOfLists(lists), expect } })),
    onMutate: toasts.begin,
    onSuccess: ({ rates, message }) => {
      client.setQueryData(rateListsQuery().queryKey, rates);
      void client.invalidateQueries({ queryKey: ratesQuery().queryKey });
      setDraft(unsavedPlans(lists));
      setIsLate(false);
      setAsked(null);
      toasts.success(message);
      refresh();
    },
    onError: async (problem) => {
      // Users may have got a plan meanwhile.
      if (isCode(problem, "plan_in_use")) void list.refetch();
      if (!isCode(problem, "rates_changed")) return;
      setAsked(null);
      await list.refetch();
      setIsLate(true);
    },
  });
  const exporting = useMutation({
    mutationFn: async () => {
      const { fileOf } = await import("./ratesFile");
      saveFile(
        new Blob([fileOf(wanted)], { type: "text/csv;charset=utf-8" }),
        isPlan ? `rates-${name}.csv` : "rates.csv",
      );
    },
    onSuccess: () => toast.success(`The file has ${counted(wanted.length, "rate")}.`),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const rowOpen = open === "new" ? null : open;
  return (
    <>
      <PageHeader
        title="Rates"
        text="What a page of a short message costs by where it goes, and by what it is for. Where no rate is in force, the unit price is: that in Nigeria, or that abroad."
        actions={
          <>
            <ImportRates
              rows={wanted}
              into={hasPlans ? listName(name) : null}
              onTake={(taken) => setEdits(new Map([...edits, ...taken]))}
            />
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
            Not saved yet: {summary}
            {fault && (
              <Typography component="span" color="error" sx={{ display: "block" }}>
                {fault}
              </Typography>
            )}
          </Typography>
          <Box sx={{ display: "flex", gap: 1 }}>
            <Button color="inherit" onClick={() => setDraft(NO_DRAFT)}>
              Discard
            </Button>
            <Button
              ref={opener}
              variant="contained"
              disabled={fault !== null}
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
      <ListChooser
        lists={lists}
        chosen={chosen}
        disabled={!list.data}
        onChoose={choose}
        onAdd={(plan, rates) => {
          setDraft(new Map([...draft, [plan, rates]]));
          choose(plan);
        }}
        onRemove={() => {
          if (chosen.state !== "new") return setEdits(new Map(stored.map((it) => [keyOf(it), null])));
          setDraft(new Map([...draft].filter(([plan]) => plan !== name)));
          choose(FOR_ALL);
        }}
        onKeep={() => setEdits(NO_EDITS)}
      />
      <RateTable
        label={isPlan ? `Rates of ${listName(name)}` : "Rates"}
        none={
          isPlan
            ? "Its users pay the rates for all. Add a rate for a country or a network, or import a file."
            : "All pages cost the unit price, in Nigeria and abroad. Add a rate for a country or a network, or import a file."
        }
        result={list}
        rows={shownRows(stored, edits)}
        onAdd={() => setOpen("new")}
        onEdit={setOpen}
        onRemove={(row) =>
          setEdits(stored.some((it) => isAt(it, row)) ? edited(edits, null, row) : undone(edits, row))
        }
        onUndo={(row) => setEdits(undone(edits, row))}
      />
      <PriceHistory key={name} rates={name} />
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
        {/* That they were changed meanwhile is said on the page, where they are looked through. */}
        <FormAlert
          text={save.isError && !isCode(save.error, "rates_changed") ? messageOf(save.error) : null}
        />
        <Typography color="textSecondary" sx={{ mb: 2 }}>
          {summaryOf(changes)} {plansText(lists)}Quotes that were given keep theirs.
        </Typography>
        <RateChanges changes={changes} isListed={hasPlans} />
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
        What you changed of the rates is not saved: {summary}
      </ConfirmDialog>
    </>
  );
}

const isCode = (problem: Error | null, code: string) =>
  problem instanceof ApiProblem && problem.code === code;

/** `The plan gold is new. The plan old is removed. ` */
function plansText(lists: readonly RateList[]): string {
  const told = lists.filter((it) => it.state !== null && it.changes.length > 0);
  return told.map(({ name, state }) => `The plan ${name} is ${state}. `).join("");
}

const isAt = (a: RateRow, b: RateRow) => keyOf(a) === keyOf(b);

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
