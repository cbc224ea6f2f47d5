// What became of calls to many, as the voice reports of both roles show it.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Popover from "@mui/material/Popover";
import Typography from "@mui/material/Typography";
import { type ReactNode, useState } from "react";
import type { components } from "../api/schema";
import { count } from "./count";
import { duration } from "./duration";
import { currencyOf, micros } from "./money";
import { formatPhone } from "./phone";
import { RecordingPlayer } from "./RecordingPlayer";
import { USUAL } from "./stacked";
import { WholeMoney } from "./values";
import { voiceName } from "./voices";

export type VoiceReport = components["schemas"]["VoiceReport"];

/** What was said, as the list links it, by whom, and how long it takes; a recording can be heard. */
export function Said({ report, children }: { report: VoiceReport; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: { sm: 200 }, display: "grid", gap: 0.5, justifyItems: "start" }}>
      {children}
      <Typography variant="body2" color="textSecondary" component="span">
        {speakerOf(report)}, {duration(report.msgLength)}
      </Typography>
      {report.audioFileUrl && <RecordingPlayer url={report.audioFileUrl} name={report.msg} />}
    </Box>
  );
}

function speakerOf({ ttsVoice, audioFileUrl }: VoiceReport): string {
  if (ttsVoice) return voiceName(ttsVoice);
  return audioFileUrl ? "Recording" : "Deleted recording";
}

/** `3 of 5`. */
export function Answered({ report }: { report: VoiceReport }) {
  return (
    <span style={{ whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" }}>
      {count(report.no_of_sent_contacts)} of {count(report.no_of_contacts)}
    </span>
  );
}

/** The sum that left the wallet, and below it what is reserved for calls that are not over. */
export function Charged({ report }: { report: VoiceReport }) {
  const currency = currencyOf(report.currency);
  const value = currency === "naira" ? report.naira_deducted : report.espees_deducted;
  const isReserved = (micros(report.reserved) ?? 0n) > 0n;
  return (
    <span>
      <WholeMoney value={value} currency={currency} />
      {isReserved && (
        <Typography component="span" variant="caption" color="textSecondary" sx={{ display: "block" }}>
          <WholeMoney value={report.reserved} currency={currency} /> reserved
        </Typography>
      )}
    </span>
  );
}

export function Refunded({ report }: { report: VoiceReport }) {
  const nothing = (micros(report.refunded_amount) ?? 0n) === 0n;
  return (
    <span {...(nothing && USUAL)}>
      <WholeMoney value={report.refunded_amount} currency={currencyOf(report.currency)} />
    </span>
  );
}

/** How many calls failed; a button that shows to whom. */
export function Failed({ report }: { report: VoiceReport }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const failed = report.no_of_failed_contacts;
  const numbers = numbersOf(report.failed_contacts);
  if (failed === 0) return <span {...USUAL}>0</span>;
  if (numbers.length === 0) return <>{count(failed)}</>;
  return (
    <>
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={`${count(failed)} failed: show the numbers`}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          minWidth: 32,
          minHeight: 32,
          // Its figure stands below the others'.
          px: 1,
          mr: { sm: -1 },
          my: -0.5,
          textDecoration: "underline",
          fontVariantNumeric: "tabular-nums",
          justifyContent: { xs: "center", sm: "flex-end" },
        }}
      >
        {count(failed)}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{
          paper: { role: "dialog", "aria-label": "Calls that failed", sx: { p: 2, maxHeight: 320 } },
        }}
      >
        <Typography variant="body2" sx={{ fontWeight: 600, mb: 0.5 }}>
          Calls that failed
        </Typography>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", fontVariantNumeric: "tabular-nums" }}>
          {numbers.map((number) => (
            <Typography component="li" variant="body2" key={number}>
              {formatPhone(number)}
            </Typography>
          ))}
        </Box>
        {failed > numbers.length && (
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
            and {count(failed - numbers.length)} more, on the campaign's page
          </Typography>
        )}
      </Popover>
    </>
  );
}

/** The API's list, joined by commas. */
export function numbersOf(joined: string): string[] {
  return joined
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean);
}

/** How often a list is read again, in ms, while one of its reports is going on; `false` while none is. */
export function againIn(reports: readonly Pick<VoiceReport, "status">[] | undefined): number | false {
  return reports?.some((it) => it.status === "sending") ? 3_000 : false;
}
