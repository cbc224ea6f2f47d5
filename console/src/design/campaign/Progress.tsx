// How far the campaign is: one bar, the figures beside it, and the pace while it goes.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { count } from "../count";
import { formatDateTime } from "../dateTime";
import { remaining } from "../duration";
import { wordsOf } from "../sendWords";
import { share } from "../share";
import { StatusChip } from "../values";
import { needsAdmin } from "./held";
import type { SendRate } from "./live";
import { OutcomeBar, Swatch } from "./OutcomeBar";
import { type Campaign, GROUPS, groups, meaningOf, type Status } from "./outcomes";
import { Panel } from "./Panel";
import { isOfFirst, reasonOf } from "./reasonOf";

export function Progress({ campaign, pace }: { campaign: Campaign; pace: SendRate }) {
  const { counts, total_contacts } = campaign;
  const words = wordsOf(campaign.sms_type);
  // How its first recipients fare stands above.
  const reason = isOfFirst(campaign) ? null : reasonOf(campaign);
  return (
    <Panel title="Outcomes" aside={<StatusChip status={campaign.status} />}>
      {reason && (
        <Alert
          severity={campaign.status === "failed" ? "error" : "warning"}
          variant="outlined"
          sx={{ mb: 2 }}
        >
          {reason}
        </Alert>
      )}
      <Typography sx={{ mb: 1.5 }}>{progressText(campaign, pace)}</Typography>
      <Box role="status" sx={HIDDEN}>
        {announcement(campaign)}
      </Box>
      <OutcomeBar label={`All ${words.many}`} groups={groups(counts)} height={16} />
      <Table size="small" aria-label={`${words.Many} by status`} sx={{ mt: 2 }}>
        <TableHead sx={HIDDEN}>
          <TableRow>
            <TableCell>Status</TableCell>
            <TableCell>{words.Many}</TableCell>
            <TableCell>Share</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rowsOf(campaign).map(({ status, group, value }) => (
            <TableRow key={status} sx={{ "&:last-child td": { border: 0 } }}>
              <TableCell sx={{ pl: 0 }}>
                <Box sx={{ display: "flex", alignItems: "baseline" }}>
                  <Swatch group={group} />
                  <span>
                    <Box component="span" sx={{ fontWeight: 600 }}>
                      {status.charAt(0).toUpperCase() + status.slice(1)}
                    </Box>
                    <Typography variant="body2" color="textSecondary">
                      {meaningOf(status, campaign.sms_type)}
                    </Typography>
                  </span>
                </Box>
              </TableCell>
              <TableCell align="right" sx={{ fontVariantNumeric: "tabular-nums", fontWeight: 600 }}>
                {count(value)}
              </TableCell>
              <TableCell align="right" sx={{ pr: 0, color: "text.secondary", width: 72 }}>
                {share(value, total_contacts)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Panel>
  );
}

/** Swatches and signs say it to the eye; the words are for screen readers. */
const HIDDEN = {
  position: "absolute",
  width: "1px",
  height: "1px",
  overflow: "hidden",
  clipPath: "inset(50%)",
};

function rowsOf({ counts }: Campaign) {
  const rows = GROUPS.flatMap(({ group, statuses }) =>
    statuses.map((status: Status) => ({ status, group, value: counts[status] })),
  );
  const shown = rows.filter((row) => row.value > 0);
  return shown.length > 0 ? shown : rows.filter((row) => row.status === "queued");
}

/** The whole in a sentence. */
export function progressText(campaign: Campaign, pace: SendRate): string {
  const { counts, status, total_contacts: all } = campaign;
  const words = wordsOf(campaign.sms_type);
  const handed = all - counts.queued - counts.cancelled;
  switch (status) {
    case "scheduled":
      return campaign.scheduled_at
        ? `${words.of(all)} will go out at ${formatDateTime(campaign.scheduled_at)}.`
        : `${words.of(all)} will go out as soon as it is this campaign's turn.`;
    case "sending":
      return `${count(handed)} of ${words.of(all)} ${words.begun}${paceWords(pace)}.`;
    case "paused":
      return `Paused: ${words.of(counts.queued)} of ${count(all)} ${counts.queued === 1 ? "waits" : "wait"} until ${needsAdmin(campaign) ? "an administrator resumes the campaign" : "you resume"}.`;
    case "cancelled":
      return `Cancelled: ${words.of(counts.cancelled)} of ${count(all)} were not ${words.sent}.`;
    default:
      if (words.isCall) return `${words.of(all)}: none is left to make.`;
      return counts.submitted > 0
        ? `${words.of(all)}: nothing is left to send, and ${count(counts.submitted)} receipt${counts.submitted === 1 ? " is" : "s are"} awaited.`
        : `${words.of(all)}: nothing is left to send and no receipt is awaited.`;
  }
}

/** For screen readers: the status and every tenth percent, as announcing every figure would never end. */
export function announcement({ counts, status, total_contacts: all, sms_type }: Campaign): string {
  const name = `Campaign ${status}`;
  if (status !== "sending" || all === 0) return name;
  const tenths = Math.floor(((all - counts.queued - counts.cancelled) * 10) / all);
  return `${name}, ${tenths * 10}% ${wordsOf(sms_type).begun}`;
}

function paceWords({ rate, remaining_s }: SendRate): string {
  if (!rate || remaining_s === null) return "";
  const speed = rate >= 10 ? count(Math.round(rate)) : rate.toFixed(1);
  return `, about ${speed} a second, ${remaining(remaining_s)} left`;
}
