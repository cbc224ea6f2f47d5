// Money in and out of the window, by currency, and what the last check of the ledger found.
import CheckCircleOutlined from "@mui/icons-material/CheckCircleOutlined";
import ErrorOutlineOutlined from "@mui/icons-material/ErrorOutlineOutlined";
import HelpOutlineOutlined from "@mui/icons-material/HelpOutlineOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { ReactNode } from "react";
import { count } from "../../design/count";
import { currencyOf } from "../../design/money";
import { STACKED } from "../../design/stacked";
import { DateTime, WholeMoney } from "../../design/values";
import type { Figures } from "./figures";
import { Panel } from "./Panel";

const ROWS = [
  { key: "paid_in", label: "Paid in by customers" },
  { key: "credited", label: "Credited by administrators" },
  { key: "revenue", label: "Earned: charged for messages" },
  { key: "released", label: "Refunded: reserved, not sent" },
] as const;

export function MoneyPanel({ figures }: { figures: Figures | undefined }) {
  return (
    <Panel title="Money in and out" flush wide>
      {figures ? (
        <Box sx={STACKED}>
          <Table size="small" aria-label="Money in and out">
            <TableHead>
              <TableRow>
                <TableCell sx={{ pl: 2.5 }}>In this time</TableCell>
                {figures.money.map((it, index) => (
                  <TableCell
                    key={it.currency}
                    align="right"
                    sx={index === figures.money.length - 1 ? { pr: 2.5 } : {}}
                  >
                    {it.currency === "espees" ? "ESPEES" : "Naira"}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {ROWS.map((row) => (
                <TableRow key={row.key}>
                  <TableCell sx={{ pl: 2.5 }} data-phone="title">
                    {row.label}
                  </TableCell>
                  {figures.money.map((it, index) => (
                    <TableCell
                      key={it.currency}
                      align="right"
                      data-phone="plain"
                      sx={index === figures.money.length - 1 ? { pr: 2.5 } : {}}
                    >
                      <WholeMoney value={it[row.key]} currency={currencyOf(it.currency)} />
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      ) : (
        <Skeleton variant="rounded" height={150} sx={{ mx: 2.5, mb: 2.5 }} />
      )}
      {figures && <Verdict check={figures.last_check} />}
    </Panel>
  );
}

function Verdict({ check }: { check: Figures["last_check"] }) {
  if (!check) {
    return (
      <Line severity="info" icon={<HelpOutlineOutlined fontSize="inherit" />}>
        The ledger was not checked yet: run <code>talkdrumd check</code>, by cron best of all.
      </Line>
    );
  }
  if (check.ok) {
    return (
      <Line severity="success" icon={<CheckCircleOutlined fontSize="inherit" />}>
        The ledger adds up, as checked at <DateTime value={check.checked_at} />.
      </Line>
    );
  }
  return (
    <Line severity="error" icon={<ErrorOutlineOutlined fontSize="inherit" />}>
      The ledger check of <DateTime value={check.checked_at} /> has {count(check.findings)}{" "}
      {check.findings === 1 ? "finding" : "findings"}
      {check.first ? `. The first: ${check.first}` : "."}
    </Line>
  );
}

function Line(props: { severity: "info" | "success" | "error"; icon: ReactNode; children: ReactNode }) {
  return (
    <Alert severity={props.severity} icon={props.icon} variant="outlined" sx={{ m: 2.5, mt: 2 }}>
      {props.children}
    </Alert>
  );
}
