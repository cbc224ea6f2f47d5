// The lines of a quote that messages and calls have alike.
import DownloadOutlined from "@mui/icons-material/DownloadOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { ReactNode } from "react";
import { messageOf } from "../../api/problem";
import { networkName } from "../../design/network";
import { toast } from "../../design/toasts";
import { DateTime } from "../../design/values";
import { downloadRejects, type Quote } from "./calls";
import { count } from "./Recipients";

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
export function Times({ quote, one }: { quote: Quote; one: string }) {
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
          {count(quote.delayed_contacts ?? 0, `${one} waits`, `${one}s wait`)} until{" "}
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
export function Notices({ quote }: { quote: Quote }) {
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

const SHOWN = 5;

export function Rejects({ quote }: { quote: Quote }) {
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

export function Networks({ quote }: { quote: Quote }) {
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
