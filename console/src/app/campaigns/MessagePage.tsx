// /dashboard/messages/:id: why one message or call is where it is, and every entry of the ledger that carries its money.

import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { Link as To, useParams } from "react-router-dom";
import { api, ask } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { callFacts } from "../../design/callFacts";
import { campaignKey } from "../../design/campaign/live";
import { type Group, groupOf } from "../../design/campaign/outcomes";
import { Fact, Facts, Panel } from "../../design/campaign/Panel";
import { type Currency, currencyOf } from "../../design/money";
import { networkName } from "../../design/network";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { purposeName } from "../../design/purpose";
import { callerName, type SendWords, wordsOf } from "../../design/sendWords";
import { STACKED } from "../../design/stacked";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { DateTime, StatusChip, WholeMoney } from "../../design/values";

type Why = components["schemas"]["Why"];

export default function MessagePage() {
  const id = Number(useParams().id);
  const why = useQuery({
    queryKey: own("campaigns", "message", id),
    queryFn: () => ask(api.GET("/api/messages/{id}", { params: { path: { id } } })),
  });
  const of = why.data?.message.campaign_id;
  // A message's currency is its campaign's.
  const campaign = useQuery({
    queryKey: campaignKey(of ?? 0),
    queryFn: async () =>
      (await ask(api.GET("/api/campaigns/{id}", { params: { path: { id: of ?? 0 } } }))).campaign,
    enabled: of !== undefined,
  });
  if (why.isError) {
    const { error } = why;
    const missing = error instanceof ApiProblem && (error.status === 404 || error.status === 400);
    return missing ? <Missing /> : <ErrorState error={error} onRetry={() => void why.refetch()} />;
  }
  if (campaign.isError) return <ErrorState error={campaign.error} onRetry={() => void campaign.refetch()} />;
  if (!why.data || !campaign.data) return <PageSkeleton />;
  const { message, text, history, entries, explanation } = why.data;
  const currency = currencyOf(campaign.data.currency);
  const words = wordsOf(campaign.data.sms_type);
  return (
    <>
      <PageHeader
        title={`${words.One} to ${formatPhone(message.to)}`}
        text={explanation}
        back={[
          words.isCall
            ? { to: "/dashboard/voice-reports", label: "All calls" }
            : { to: "/dashboard/sent-messages", label: "All campaigns" },
          { to: `/dashboard/campaigns/${message.campaign_id}`, label: `Campaign ${message.campaign_id}` },
        ]}
      />
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 1fr)" },
          alignItems: "start",
        }}
      >
        <Stack sx={{ gap: 2, minWidth: 0 }}>
          <Panel title="What happened" aside={<StatusChip status={message.status} />}>
            <History history={history} />
          </Panel>
          <Panel title="Charges">
            <Entries entries={entries} currency={currency} words={words} />
          </Panel>
        </Stack>
        <Panel title={words.isCall ? "What is said" : "What was sent"}>
          <Typography
            sx={{
              mb: 2,
              p: 1.5,
              borderRadius: 2,
              backgroundColor: "background.default",
              whiteSpace: "pre-wrap",
              overflowWrap: "anywhere",
            }}
          >
            {text}
          </Typography>
          <Facts>
            <Fact name="Campaign">
              <Link component={To} to={`/dashboard/campaigns/${message.campaign_id}`}>
                No. {message.campaign_id}
              </Link>
            </Fact>
            <Fact name="For">{purposeName(message.purpose)}</Fact>
            <Fact name={words.isCall ? "Calls come from" : "Sender ID"}>
              {words.isCall ? callerName(message.senderid) : message.senderid}
            </Fact>
            <Fact name="Network">{networkName(message.network)}</Fact>
            <Fact name={words.Units}>{message.pages}</Fact>
            <Fact name="Price" strong>
              <WholeMoney value={message.price} currency={currency} />
            </Fact>
            <Fact name="Carrier's reference">{message.carrier_ref ?? "-"}</Fact>
            {words.isCall ? (
              <>
                <CallFacts call={message.call} />
                <Fact name="Over">
                  <DateTime value={message.done_at} />
                </Fact>
              </>
            ) : (
              <>
                <Fact name="Answered by the carrier">
                  <DateTime value={message.submitted_at} />
                </Fact>
                <Fact name="Receipt">
                  <DateTime value={message.done_at} />
                </Fact>
              </>
            )}
          </Facts>
        </Panel>
      </Box>
    </>
  );
}

/** How the call went; nothing before it was tried. */
function CallFacts({ call }: { call: Why["message"]["call"] }) {
  return callFacts(call).map(({ name, value }) => (
    <Fact key={name} name={name}>
      {value}
    </Fact>
  ));
}

/** The last step says by its colour, too, how it ended. */
const END_COLOUR: Record<Group, string> = {
  delivered: "success.main",
  awaited: "info.main",
  failed: "error.main",
  unknown: "warning.main",
  unsent: "text.secondary",
  waiting: "info.main",
};

function History({ history }: { history: Why["history"] }) {
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {history.map((step, place) => (
        <Box
          component="li"
          // Two steps can be alike in all but their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is not reordered
          key={place}
          sx={{
            position: "relative",
            pl: 3,
            pb: place === history.length - 1 ? 0 : 2,
            "&::before": {
              content: '""',
              position: "absolute",
              left: 3,
              top: 8,
              width: 9,
              height: 9,
              borderRadius: "50%",
              backgroundColor:
                place === history.length - 1 ? END_COLOUR[groupOf(step.status)] : "text.secondary",
            },
            "&:not(:last-child)::after": {
              content: '""',
              position: "absolute",
              left: 7,
              top: 21,
              bottom: -4,
              width: "1px",
              backgroundColor: "divider",
            },
          }}
        >
          <Typography sx={{ fontWeight: 600 }}>{step.note}</Typography>
          <Typography variant="body2" color="textSecondary">
            {step.at ? <DateTime value={step.at} seconds /> : "No time was recorded"}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

const CODES: Record<string, string> = {
  reserve: "Reserved",
  capture: "Charged",
  release: "Refunded",
  refund: "Refunded",
  charge: "Charged later",
};

interface EntriesProps {
  entries: Why["entries"];
  currency: Currency;
  words: SendWords;
}

function Entries({ entries, currency, words }: EntriesProps) {
  if (entries.length === 0) {
    return <Typography color="textSecondary">No entry of the ledger carries money for it.</Typography>;
  }
  const money = (value: number) => <WholeMoney value={value} currency={currency} />;
  return (
    <Box sx={{ overflowX: "auto", ...STACKED }} role="region" aria-label="Ledger entries" tabIndex={0}>
      <Table size="small" aria-label="Ledger entries">
        <TableHead>
          <TableRow>
            <TableCell>Entry</TableCell>
            <TableCell align="right">This {words.one}</TableCell>
            <TableCell align="right">Ledger entry total</TableCell>
            <TableCell>Date</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {entries.map((entry) => (
            <TableRow key={entry.id}>
              <TableCell data-label="Entry" data-phone="title" sx={{ minWidth: 180 }}>
                <Box>
                  <strong>{CODES[entry.code] ?? entry.code}</strong>
                  <Typography variant="body2" color="textSecondary">
                    {entry.narration}
                  </Typography>
                </Box>
              </TableCell>
              <TableCell
                align="right"
                data-label={`This ${words.one}`}
                data-phone="labelled"
                sx={{ fontWeight: 600 }}
              >
                {money(entry.share)}
              </TableCell>
              <TableCell align="right" data-label="Ledger entry total" data-phone="labelled">
                {money(entry.amount)}
              </TableCell>
              <TableCell data-label="Date" data-phone="plain">
                <DateTime value={entry.at} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

function Missing() {
  return (
    <>
      <PageHeader title="No such message" />
      <EmptyState
        title="There is no such message"
        text="It may belong to another account. Look for it by its number."
        action={{ label: "Find a number", to: "/dashboard/messages" }}
      />
    </>
  );
}
