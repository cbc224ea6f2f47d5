// The last look before anything is charged: the lines of a quote that messages and calls have alike, and what each says of
// itself among them.
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
import { counted } from "../../design/count";
import { currencyOf } from "../../design/money";
import { networkName } from "../../design/network";
import { formatPhone } from "../../design/phone";
import { purposeName } from "../../design/purpose";
import { isShort, QuoteSummary } from "../../design/QuoteSummary";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { DateTime, WholeMoney } from "../../design/values";
import { downloadRejects, type Quote } from "./calls";
import { firstTerms, plainNotice } from "./first";

export interface QuoteDialogProps {
  /** Null closes it. */
  quote: Quote | null;
  busy: boolean;
  problem: string | null;
  opener: RefObject<HTMLElement | null>;
  onConfirm: () => void;
  onClose: () => void;
}

/** What a message or a call says of itself. */
interface Own {
  /** `message` or `call`. */
  one: string;
  kind: string;
  /** The first lines: by which way, from whom. */
  from: ReactNode;
  /** How long it takes, below the text. */
  length?: ReactNode;
  /** How the total adds up, for one run. */
  sum: ReactNode;
  /** Of one of them. */
  each: ReactNode;
  /** Said before the total, where it is no more than a bound. */
  bound?: string;
  /** What is refunded. */
  refund: string;
  /** Below the lines. */
  more?: ReactNode;
}

export function QuoteDialog(props: QuoteDialogProps & { own: (quote: Quote) => Own }) {
  const { quote, busy, problem, opener, onConfirm, onClose } = props;
  const own = quote && props.own(quote);
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
      {quote && own && (
        <>
          <FormAlert text={problem} />
          <Notices quote={quote} />
          <Lines quote={quote} own={own} />
          {own.more}
          <Rejects quote={quote} />
          <Networks quote={quote} />
          <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
            This price holds until <DateTime value={quote.expires_at} />. {own.refund}
          </Typography>
        </>
      )}
    </ConfirmDialog>
  );
}

function Lines({ quote, own }: { quote: Quote; own: Own }) {
  const currency = currencyOf(quote.currency);
  const runs = Math.max(1, quote.starts.length);
  return (
    <Box component="dl" sx={{ m: 0 }}>
      {own.from}
      <Line name="Message">
        <Box
          component="span"
          sx={{ whiteSpace: "pre-wrap", display: "block", maxHeight: 160, overflowY: "auto" }}
        >
          {quote.message}
        </Box>
        {quote.message_to && (
          <Typography component="span" variant="body2" color="textSecondary" sx={{ display: "block" }}>
            as {formatPhone(quote.message_to)} gets it
          </Typography>
        )}
      </Line>
      {own.length}
      <Line name="Total Contacts">{quote.total_contacts.toLocaleString("en")}</Line>
      <Line name="Duplicate removed">{quote.total_duplicates_removed.toLocaleString("en")}</Line>
      {quote.total_suppressed > 0 && (
        <Line name="Opted out, left out">{quote.total_suppressed.toLocaleString("en")}</Line>
      )}
      <Line name={`Total charge (${currency === "espees" ? "ESPEES" : "Naira"})`} strong>
        {own.bound && `${own.bound} `}
        <WholeMoney value={quote.total_charges} currency={currency} least={5} />
      </Line>
      <Line name="How it adds up">
        {own.sum}
        {runs > 1 && `, ${runs} times`}
      </Line>
      <Line name="SMS type">{own.kind}</Line>
      <Line name="For">{purposeName(quote.purpose)}</Line>
      {own.each}
      <Times quote={quote} one={own.one} />
      {quote.canary && <Line name="First recipients">{firstTerms(quote.canary, quote.sms_type, runs)}</Line>}
      <Line name="Balance after">
        <WholeMoney value={quote.balance_after} currency={currency} />
      </Line>
    </Box>
  );
}

export function Line({ name, strong, children }: { name: string; strong?: boolean; children: ReactNode }) {
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

/** When it starts, what waits for the end of the quiet hours, and when it should be over. */
function Times({ quote, one }: { quote: Quote; one: string }) {
  return (
    <>
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
          {counted(quote.delayed_contacts ?? 0, `${one} waits`, `${one}s wait`)} until{" "}
          <DateTime value={quote.delayed_start} />
        </Line>
      )}
      {quote.estimated_finish && (
        <Line name="Finished by about">
          <DateTime value={quote.estimated_finish} />
        </Line>
      )}
    </>
  );
}

/** What to know before paying, in the daemon's words. */
function Notices({ quote }: { quote: Quote }) {
  const notices = (quote.notices ?? []).map(plainNotice);
  if (notices.length === 0) return null;
  return (
    <Alert severity="warning" variant="outlined" sx={{ mb: 2, overflowWrap: "anywhere" }}>
      {notices.map((notice) => (
        <div key={notice}>{notice}.</div>
      ))}
      {Boolean(quote.unread_columns?.length) &&
        "To send to these, too, cancel and choose the columns under the file."}
    </Alert>
  );
}

/** What needs no answer: one line that says how many and what it means for the price, and the rest by a click. */
export function Folded({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <Box
      component="details"
      sx={{
        borderBottom: 1,
        borderColor: "divider",
        fontSize: "0.875rem",
        overflowWrap: "anywhere",
        "& summary": { cursor: "pointer", py: 0.75 },
      }}
    >
      <summary>{summary}</summary>
      <Box sx={{ pb: 1 }}>{children}</Box>
    </Box>
  );
}

const SHOWN = 5;

function Rejects({ quote }: { quote: Quote }) {
  if (quote.total_invalid === 0) return null;
  const shown = quote.rejects.slice(0, SHOWN);
  return (
    <Folded
      summary={
        <>
          <b>{counted(quote.total_invalid, "entry", "entries")} left out</b>, at no charge
          {!!quote.total_dnd && `, ${counted(quote.total_dnd, "number")} of them on the Do-Not-Disturb list`}
        </>
      }
    >
      <Box component="ul" sx={{ pl: 2.5, mt: 0, mb: 1 }}>
        {shown.map((reject) => (
          <li key={`${reject.line} ${reject.value} ${reject.code}`}>
            Line {reject.line}, {reject.value || "empty"}: {reject.reason}
          </li>
        ))}
        {quote.total_invalid > shown.length && (
          <li>and {(quote.total_invalid - shown.length).toLocaleString("en")} more</li>
        )}
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
    </Folded>
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
