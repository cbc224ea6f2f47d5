// One message: where it is and why, and every ledger entry that carries its money.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router-dom";
import { api, ask } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { callFacts } from "../../design/callFacts";
import { currencyOf } from "../../design/money";
import { networkName } from "../../design/network";
import { PageHeader } from "../../design/PageHeader";
import { callerName, wordsOf } from "../../design/sendWords";
import { ErrorState, PageSkeleton } from "../../design/states";
import { DateTime, StatusChip, WholeMoney } from "../../design/values";
import { addressOf } from "../address";
import { NotFound } from "../layout/NotFound";
import { UserLink } from "../list/cells";

type Why = components["schemas"]["Why"];

export default function MessagePage() {
  const { id = "" } = useParams();
  const whole = /^\d+$/.test(id);
  const { data, error, refetch } = useQuery({
    queryKey: own("message", id),
    queryFn: () => ask(api.GET("/api/messages/{id}", { params: { path: { id: Number(id) } } })),
    enabled: whole,
  });
  if (!whole || (!data && error instanceof ApiProblem && error.status === 404)) return <NotFound />;
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return <MessageView why={data} />;
}

function MessageView({ why }: { why: Why }) {
  const { message, text, explanation, history } = why;
  const words = wordsOf(message.call ? "voice" : "text");
  return (
    <>
      <PageHeader
        title={`${words.One} to +${message.to}`}
        back={[
          { to: addressOf("campaign-history"), label: "All campaigns" },
          {
            to: addressOf(`campaign-history/${message.campaign_id}`),
            label: `Campaign ${message.campaign_id}`,
          },
        ]}
        text={
          <>
            <StatusChip status={message.status} /> on {networkName(message.network)}
            {message.user_id && (
              <>
                {" "}
                of <UserLink id={message.user_id} name={message.username} />
              </>
            )}
          </>
        }
      />
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) minmax(0, 1fr)" },
          alignItems: "start",
        }}
      >
        <Card component="section" aria-label="Explanation" sx={{ p: 2.5 }}>
          <Typography variant="h2" sx={{ mb: 1 }}>
            What became of it
          </Typography>
          <Typography sx={{ mb: 2 }}>{explanation}</Typography>
          <Typography
            sx={{
              p: 1.5,
              bgcolor: "action.hover",
              borderRadius: 1,
              overflowWrap: "anywhere",
              whiteSpace: "pre-wrap",
            }}
          >
            {text || "No text"}
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
            From {words.isCall ? callerName(message.senderid) : message.senderid};{" "}
            {`${message.pages} ${words.unit}${message.pages === 1 ? "" : "s"}`}
            {message.carrier && `; by ${message.carrier}`}
            {message.carrier_ref && `; the carrier's reference is ${message.carrier_ref}`}
            {callFacts(message.call).map(({ name, value }) => `; ${name.toLowerCase()}: ${value}`)}
          </Typography>
        </Card>
        <Card component="section" aria-label="History" sx={{ p: 2.5 }}>
          <Typography variant="h2" sx={{ mb: 1 }}>
            History
          </Typography>
          <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0 }}>
            {history.map((it) => (
              <Box
                component="li"
                key={`${it.at ?? ""}${it.status}${it.note}`}
                sx={{
                  display: "flex",
                  flexWrap: "wrap",
                  alignItems: "baseline",
                  columnGap: 1.5,
                  py: 0.75,
                  borderTop: 1,
                  borderColor: "divider",
                }}
              >
                <Typography variant="body2" color="textSecondary" sx={{ minWidth: 150 }}>
                  <DateTime value={it.at} none="Not recorded" seconds />
                </Typography>
                <StatusChip status={it.status} />
                <Typography variant="body2" sx={{ flex: "1 1 180px" }}>
                  {it.note}
                </Typography>
              </Box>
            ))}
          </Box>
        </Card>
      </Box>
      <Entries why={why} />
    </>
  );
}

function Entries({ why: { entries, message } }: { why: Why }) {
  const currency = currencyOf(message.currency);
  return (
    <Card component="section" aria-labelledby="entries" sx={{ mt: 2 }}>
      <Typography id="entries" variant="h2" sx={{ px: 2.5, py: 2 }}>
        Charges
      </Typography>
      {entries.length === 0 ? (
        <Typography color="textSecondary" sx={{ px: 2.5, pb: 2.5 }}>
          No ledger entry carries money of this message.
        </Typography>
      ) : (
        <Box sx={{ overflowX: "auto" }} tabIndex={0} role="region" aria-label="Ledger entries">
          <Table size="small" aria-label="Ledger entries">
            <TableHead>
              <TableRow>
                <TableCell sx={{ pl: 2.5 }}>When</TableCell>
                <TableCell>Entry</TableCell>
                <TableCell>In words</TableCell>
                <TableCell>Reference</TableCell>
                <TableCell align="right">Ledger entry total</TableCell>
                <TableCell align="right" sx={{ pr: 2.5 }}>
                  This {wordsOf(message.call ? "voice" : "text").one}
                </TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {entries.map((it) => (
                <TableRow key={it.id}>
                  <TableCell sx={{ pl: 2.5 }}>
                    <DateTime value={it.at} />
                  </TableCell>
                  <TableCell>{it.code}</TableCell>
                  <TableCell>{it.narration}</TableCell>
                  <TableCell sx={{ overflowWrap: "anywhere" }}>{it.reference}</TableCell>
                  <TableCell align="right">
                    <WholeMoney value={it.amount} currency={currency} />
                  </TableCell>
                  <TableCell align="right" sx={{ pr: 2.5 }}>
                    <WholeMoney value={it.share} currency={currency} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </Card>
  );
}
