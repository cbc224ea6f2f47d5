// What the page says of the draft at the daemon: whether it is saved, drafts to go on with, and what stands in the way.
import CloudDoneOutlined from "@mui/icons-material/CloudDoneOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { formatDateTime } from "../../design/dateTime";
import type { FormDraft } from "./drafts";
import type { Saving } from "./keptState";
import { missingText } from "./lostFiles";
import { Notice } from "./Notice";
import type { KeptForm } from "./useKeptDraft";

/** How many are offered at once. */
const OFFERED = 3;

export function DraftNotices({ kept }: { kept: KeptForm }) {
  const { opening, offers } = kept;
  if (opening.state === "fetching") {
    return (
      <Alert severity="info" variant="outlined" role="status" sx={{ mb: 3 }}>
        Fetching {opening.names.join(", ")}
        <Stack sx={{ flexDirection: "row", mt: 1 }}>
          <Button size="small" variant="outlined" color="inherit" onClick={kept.goOnWithout}>
            {opening.names.length === 1 ? "Go on without the file" : "Go on without the files"}
          </Button>
        </Stack>
      </Alert>
    );
  }
  if (opening.state === "failed") {
    const { retry, isIncomplete } = opening;
    return (
      <Notice
        severity="error"
        text={`The draft${isIncomplete ? " and its files" : ""} could not be read. ${opening.text}`}
        actions={[
          ["Try again", retry],
          [isIncomplete ? "Go on without files" : "Go on", kept.goOnWithout],
        ]}
      />
    );
  }
  if (opening.state === "changed") {
    return (
      <Notice
        severity="warning"
        text="This draft was changed elsewhere. What you write here is not saved until you choose."
        actions={[
          ["Take the other", kept.takeTheirs],
          ["Keep this one", kept.keepMine],
        ]}
      />
    );
  }
  if (kept.missing.length > 0) {
    return (
      <Notice
        severity="warning"
        text={missingText(kept.missing)}
        actions={[["Go on without", kept.dismissMissing]]}
      />
    );
  }
  return offers.length > 0 ? <Offers offers={offers} kept={kept} /> : null;
}

function Offers({ offers, kept }: { offers: FormDraft[]; kept: KeptForm }) {
  const [all, setAll] = useState(false);
  /** The draft that is to be deleted, while the person is asked. */
  const [doomed, setDoomed] = useState<FormDraft | null>(null);
  const shown = all ? offers : offers.slice(0, OFFERED);
  return (
    <Alert severity="info" variant="outlined" sx={{ mb: 3, "& .MuiAlert-message": { flex: 1, minWidth: 0 } }}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {headingOf(offers, kept.isFull)}
      </Typography>
      <Stack component="ul" aria-label="Drafts" sx={{ listStyle: "none", p: 0, m: 0, gap: 0.5 }}>
        {shown.map((draft) => (
          <Stack
            component="li"
            key={draft.id}
            sx={{ flexDirection: "row", flexWrap: "wrap", alignItems: "center", columnGap: 1 }}
          >
            <Box sx={{ flex: "1 1 220px", minWidth: 0, overflowWrap: "anywhere" }}>
              {nameOf(draft)}
              <Typography variant="body2" color="textSecondary">
                {[formatDateTime(draft.updated_at), ...draft.files.map((it) => it.name)].join(", ")}
              </Typography>
            </Box>
            {!kept.isFull && (
              <Button
                size="small"
                onClick={() => kept.open(draft.id)}
                aria-label={`Go on with ${nameOf(draft)}`}
              >
                Go on
              </Button>
            )}
            <Button
              size="small"
              color="inherit"
              onClick={() => setDoomed(draft)}
              aria-label={`Delete ${nameOf(draft)}`}
            >
              Delete
            </Button>
          </Stack>
        ))}
      </Stack>
      {offers.length > shown.length && (
        <Button size="small" onClick={() => setAll(true)}>
          Show all {offers.length}
        </Button>
      )}
      <ConfirmDialog
        open={doomed !== null}
        title="Delete this draft?"
        confirm="Delete"
        danger
        maxWidth="xs"
        onConfirm={() => {
          if (doomed) void kept.discard(doomed);
          setDoomed(null);
        }}
        onClose={() => setDoomed(null)}
      >
        {doomed && [nameOf(doomed), ...doomed.files.map((it) => it.name)].join(", ")}
      </ConfirmDialog>
    </Alert>
  );
}

function headingOf({ length }: FormDraft[], isFull: boolean): string {
  if (isFull) return "You have as many drafts as there may be: delete one to have this one saved";
  return length === 1 ? "You have a draft that is not sent" : "You have drafts that are not sent";
}

const nameOf = ({ title }: FormDraft) => title || "Draft without text";

/** Under the button, for who looks there before leaving. */
export function DraftSaving({ saving }: { saving: Saving }) {
  const said = { none: "", waiting: "Saving the draft", saved: "Saved" };
  return (
    <Typography
      variant="body2"
      color={saving.state === "failed" ? "error" : "textSecondary"}
      role="status"
      sx={{ mt: 1, display: "flex", alignItems: "center", gap: 0.75, minHeight: 20 }}
    >
      {saving.state === "saved" && <CloudDoneOutlined fontSize="inherit" />}
      {saving.state === "failed"
        ? `${saving.isFile ? "" : "The draft is not saved. "}${saving.text}`
        : said[saving.state]}
    </Typography>
  );
}
