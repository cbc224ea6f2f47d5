// The last look before anything is charged: the specification's lines, then what a person with money at stake asks.
import DownloadOutlined from "@mui/icons-material/DownloadOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import type { ReactNode, RefObject } from "react";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { currencyOf } from "../../design/money";
import { networkName } from "../../design/network";
import { isShort, QuoteSummary } from "../../design/QuoteSummary";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { DateTime, Money } from "../../design/values";
import { downloadRejects, type Quote } from "./calls";
import { KINDS } from "./Message";
import { count } from "./Recipients";

interface Props {
  /** Null closes it. */
  quote: Quote | null;
  busy: boolean;
  problem: string | null;
  opener: RefObject<HTMLElement | null>;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirmation({ quote, busy, problem, opener, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      open={quote !== null}
      title="Confirm Campaign Submission"
      confirm="Yes, Proceed"
      cancel="No, Cancel"
      busy={busy}
      disabled={quote !== null && isShort(quote)}
      maxWidth="sm"
      summary={quote && <QuoteSummary quote={quote} />}
      opener={opener}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {quote && (
        <>
          <FormAlert text={problem} />
          <Notices quote={quote} />
          <Lines quote={quote} />
          <Replaced quote={quote} />
          <Rejects quote={quote} />
          <Networks quote={quote} />
          <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
            This price holds until <DateTime value={quote.expires_at} />. Messages the carrier rejects are
            refunded.
          </Typography>
        </>
      )}
    </ConfirmDialog>
  );
}

function Lines({ quote }: { quote: Quote }) {
  const currency = currencyOf(quote.currency);
  const runs = Math.max(1, quote.starts.length);
  const kind = KINDS.find((it) => it.kind === quote.sms_type)?.label ?? quote.sms_type;
  return (
    <Box component="dl" sx={{ m: 0 }}>
      <Line name="Route">{quote.route}</Line>
      <Line name="Sender ID">{quote.sender_id}</Line>
      <Line name="Message">
        <Box
          component="span"
          sx={{ whiteSpace: "pre-wrap", display: "block", maxHeight: 160, overflowY: "auto" }}
        >
          {quote.message}
        </Box>
      </Line>
      <Line name="Total Contacts">{quote.total_contacts.toLocaleString("en")}</Line>
      <Line name="Duplicate removed">{quote.total_duplicates_removed.toLocaleString("en")}</Line>
      {quote.total_suppressed > 0 && (
        <Line name="Opted out, left out">{quote.total_suppressed.toLocaleString("en")}</Line>
      )}
      <Line name={`Total charge (${currency === "espees" ? "ESPEES" : "Naira"})`} strong>
        <Money value={quote.total_charges} currency={currency} decimals={5} />
      </Line>
      <Line name="How it adds up">
        {count(quote.total_pages - (quote.abroad_pages ?? 0), "page")} at{" "}
        <Money value={quote.unit_price} currency={currency} decimals={5} />
        {quote.abroad_unit_price != null && (
          <>
            , {count(quote.abroad_pages ?? 0, "page")} abroad at{" "}
            <Money value={quote.abroad_unit_price} currency={currency} decimals={5} />
          </>
        )}
        {runs > 1 && `, sent ${runs} times`}
      </Line>
      <Line name="SMS type">{kind}</Line>
      <Line name="Each message">
        {span(quote.pages, "page")}, {span(quote.segments, "segment")} as{" "}
        {{ gsm7: "plain letters", ucs2: "Unicode", binary: "binary" }[quote.encoding] ?? quote.encoding}
      </Line>
      <Line name="Campaign Start">
        {quote.starts.length === 0
          ? "Sending Now"
          : quote.starts.map((start) => (
              <Box component="span" key={start} sx={{ display: "block" }}>
                <DateTime value={start} />
              </Box>
            ))}
      </Line>
      {quote.delayed_start && (
        <Line name="Quiet hours">
          {count(quote.delayed_contacts ?? 0, "message waits", "messages wait")} until{" "}
          <DateTime value={quote.delayed_start} />
        </Line>
      )}
      {quote.estimated_finish && (
        <Line name="Finished by about">
          <DateTime value={quote.estimated_finish} />
        </Line>
      )}
      <Line name="Balance after">
        <Money value={quote.balance_after} currency={currency} />
      </Line>
    </Box>
  );
}

function Line({ name, strong, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "1fr", sm: "180px 1fr" },
        columnGap: 2,
        py: 0.75,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <Box component="dt" sx={{ color: "text.secondary", fontSize: "0.875rem" }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: "anywhere", fontWeight: strong ? 700 : 500 }}>
        {children}
      </Box>
    </Box>
  );
}

function span([least, most]: readonly [number, number], one: string): string {
  return least === most ? count(least, one) : `${least} to ${count(most, one)}`;
}

/** What to know before paying, in the daemon's words. */
function Notices({ quote }: { quote: Quote }) {
  const notices = quote.notices ?? [];
  if (notices.length === 0) return null;
  return (
    <Alert severity="warning" variant="outlined" sx={{ mb: 2, overflowWrap: "anywhere" }}>
      {notices.map((notice) => (
        <div key={notice}>{notice}.</div>
      ))}
      To send to these, too, cancel and choose the columns under the file.
    </Alert>
  );
}

function Replaced({ quote }: { quote: Quote }) {
  if (quote.replacements.length === 0) return null;
  return (
    <Typography variant="body2" sx={{ mt: 2 }}>
      Replaced so that it stays plain text:{" "}
      {quote.replacements
        .map(
          ({ from, to, count: times }) =>
            `${from} by ${to || "nothing"}${times > 1 ? ` (${times} times)` : ""}`,
        )
        .join(", ")}
    </Typography>
  );
}

const SHOWN = 5;

function Rejects({ quote }: { quote: Quote }) {
  if (quote.total_invalid === 0) return null;
  return (
    <Alert severity="warning" variant="outlined" sx={{ mt: 2, "& .MuiAlert-message": { minWidth: 0 } }}>
      <b>{count(quote.total_invalid, "entry", "entries")} left out</b>, at no charge:
      <Box component="ul" sx={{ pl: 2.5, my: 0.5, overflowWrap: "anywhere" }}>
        {quote.rejects.slice(0, SHOWN).map((reject) => (
          <li key={`${reject.line} ${reject.value} ${reject.code}`}>
            Line {reject.line}, {reject.value || "empty"}: {reject.reason}
          </li>
        ))}
      </Box>
      <Button
        size="small"
        variant="outlined"
        startIcon={<DownloadOutlined />}
        onClick={() =>
          void downloadRejects(quote.quote_id).catch((problem: unknown) => toast.error(messageOf(problem)))
        }
      >
        Download rejects.csv
      </Button>
    </Alert>
  );
}

function Networks({ quote }: { quote: Quote }) {
  const networks = Object.entries(quote.networks).sort(([, a], [, b]) => b - a);
  if (networks.length === 0) return null;
  return (
    <Table size="small" sx={{ mt: 2 }} aria-label="Recipients by network">
      <TableHead>
        <TableRow>
          <TableCell>Network</TableCell>
          <TableCell align="right">Contacts</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {networks.map(([network, contacts]) => (
          <TableRow key={network}>
            <TableCell>{networkName(network)}</TableCell>
            <TableCell align="right">{contacts.toLocaleString("en")}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
