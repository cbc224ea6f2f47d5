// The effect of a price on margins, as it is typed: by network, against what carriers took in the last 30 days.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link as To } from "react-router-dom";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import { formatDate } from "../../design/dateTime";
import { type Currency, decimal } from "../../design/money";
import { addressOf } from "../address";
import { costsOf, marginOf } from "./margin";

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

function marginsQuery() {
  const from = formatDate(Date.now() - DAYS * DAY_MS, "Africa/Lagos");
  return {
    queryKey: own("margins", from),
    queryFn: () => ask(api.GET("/admin/margins", { params: { query: { from, page: 1, per_page: 1000 } } })),
    staleTime: 60_000,
  };
}

export function Margins({ currency, price }: { currency: Currency; price: string }) {
  const id = useId();
  const { data, isPending, isError } = useQuery(marginsQuery());
  const costs = data ? costsOf(data.margins, currency) : [];
  const words = currency === "espees" ? "ESPEES" : "Naira";
  const lossy = costs.some((it) => (marginOf(price, it.costOfOne)?.left ?? 0n) < 0n);
  return (
    <Box component="section" aria-labelledby={id} sx={{ width: "100%", mb: 1 }}>
      <Typography id={id} variant="h3" sx={{ mb: 0.5 }}>
        Effect on margins
      </Typography>
      {costs.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {isPending && "Reading the costs of the carriers…"}
          {isError && "The costs of the carriers could not be read. The price can be set all the same."}
          {data && (
            <>
              Nothing to compare with: no carrier has a cost in {words}, or none sent in the last {DAYS} days.
              A carrier's cost is set as <code>cost</code> in the daemon's configuration; see{" "}
              <Link component={To} to={addressOf("carriers")}>
                Carriers
              </Link>
              .
            </>
          )}
        </Typography>
      ) : (
        <>
          {lossy && (
            <Alert severity="warning" variant="outlined" sx={{ mb: 1 }}>
              At this price some networks cost more than they bring.
            </Alert>
          )}
          <Box sx={{ overflowX: "auto" }}>
            <Table size="small" aria-labelledby={id}>
              <TableHead>
                <TableRow>
                  <TableCell>Network</TableCell>
                  <TableCell align="right">Segments</TableCell>
                  <TableCell align="right">Cost of one</TableCell>
                  <TableCell align="right">Left of a page</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {costs.map((it) => {
                  const margin = marginOf(price, it.costOfOne);
                  return (
                    <TableRow key={it.network}>
                      <TableCell>{it.network.toUpperCase()}</TableCell>
                      <TableCell align="right">{it.segments.toLocaleString("en")}</TableCell>
                      <TableCell align="right">{decimal(it.costOfOne, 5)}</TableCell>
                      <TableCell
                        align="right"
                        sx={{ color: (margin?.left ?? 0n) < 0n ? "error.main" : undefined }}
                      >
                        {margin ? decimal(margin.left, 5) : "-"}
                        {margin?.percent != null && ` (${margin.percent}%)`}
                      </TableCell>
                    </TableRow>
                  );
                })}
              </TableBody>
            </Table>
          </Box>
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
            In {words}, over the last {DAYS} days, for a page of one segment.
            {data && data.total > data.margins.length && " Only the newest 1,000 sums are counted."}
          </Typography>
        </>
      )}
    </Box>
  );
}
