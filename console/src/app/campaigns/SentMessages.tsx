// /dashboard/sent-messages: what was sent, one row a campaign, by kind.
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link as To } from "react-router-dom";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { CampaignStatus } from "../../design/campaign/CampaignStatus";
import { headQuery } from "../../design/campaign/head";
import { type Campaign, KINDS, kindName } from "../../design/campaign/outcomes";
import { sentAt } from "../../design/campaign/sentAt";
import { count } from "../../design/count";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { purposeName } from "../../design/purpose";
import { SearchField } from "../../design/SearchField";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime, WholeMoney } from "../../design/values";
import { KindTabs } from "./KindTabs";
import { ReportLinks } from "./ReportLinks";
import { RowMenu } from "./RowMenu";

/** This list knows no times but that of the confirmation; the history of campaigns does. */
interface Sent extends SentRow {
  campaign?: Campaign;
}
type SentRow = components["schemas"]["SentMessage"];

const COLUMNS: Column<Sent>[] = [
  { key: "message", label: "Message", width: "38%", cell: (row) => <Said row={row} /> },
  { key: "senderid", label: "Sender ID", phone: "plain", cell: (row) => row.senderid },
  { key: "contacts", label: "Recipients", align: "right", cell: (row) => count(row.no_of_contacts) },
  { key: "failed", label: "Failed", align: "right", cell: (row) => count(row.no_of_failed_contacts) },
  { key: "cost", label: "Cost", align: "right", phone: "figure", cell: (row) => <Cost row={row} /> },
  {
    key: "status",
    label: "Status",
    phone: "status",
    cell: (row) => <CampaignStatus status={row.status} campaign={row.campaign} />,
  },
  { key: "at", label: "Date", phone: "plain", cell: (row) => <When row={row} /> },
  {
    key: "actions",
    label: "Actions",
    align: "right",
    actions: true,
    cell: (row) => <RowMenu id={row.id} kind="text" />,
  },
];

/** Beyond the kinds: everything, and what is yet to go out. */
const MORE = [
  { code: "all", label: "All" },
  { code: "scheduled", label: "Scheduled" },
] as const;

export default function SentMessages() {
  const state = useTableState({ filters: ["type"] });
  const asked = state.filters.type ?? "";
  const kind = [...KINDS, ...MORE].find((it) => it.code === asked)?.code ?? "text";
  const narrowed = { all: {}, scheduled: { status: "scheduled" } }[kind as string] ?? { type: kind };
  const query = { ...state.query, ...narrowed };
  const which = { all: "", scheduled: "scheduled " }[kind as string] ?? `${kindName(kind)} `;
  const result = useQuery({
    queryKey: own("campaigns", "sent", query),
    queryFn: async () => {
      const [{ messages, total }, campaigns] = await Promise.all([
        ask(api.GET("/api/get-sent-messages", { params: { query } })),
        ask(api.GET("/api/get-campaign-history", { params: { query: { ...query, numbers: 0 } } })).then(
          (answer) => new Map(answer.campaigns.map((it) => [it.id, it])),
          () => new Map<number, Campaign>(),
        ),
      ]);
      return { rows: messages.map((row): Sent => ({ ...row, campaign: campaigns.get(row.id) })), total };
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Sent Messages"
        text="Every campaign, newest first. Open one to watch it go, to pause or cancel it, or to see who did not get it and why."
        actions={<ReportLinks />}
      />
      <KindTabs
        label="Kind of message"
        value={kind}
        more={MORE}
        onChange={(to) => state.setFilter("type", to === "text" ? "" : to)}
      >
        <DataTable
          label={`Sent messages, ${kindName(kind)}`}
          columns={COLUMNS}
          rowKey={(row) => row.id}
          result={result}
          state={state}
          failure="Failed to fetch campaign history."
          toolbar={<SearchField label="Search text or sender ID" value={state.q} onSearch={state.setQ} />}
          empty={
            state.q ? (
              <EmptyState
                title="Nothing matches"
                text={`No ${which}message or sender ID contains “${state.q}”.`}
                action={{ label: "Clear the search", onClick: () => state.setQ("") }}
              />
            ) : (
              <EmptyState
                title={`No ${which}messages yet`}
                text="Write one: you see the exact price before anything is charged."
                action={{ label: "Send a message", to: "/dashboard/compose-sms" }}
              />
            )
          }
        />
      </KindTabs>
    </>
  );
}

/** What it said and to whom: the way to its campaign. */
function Said({ row }: { row: Sent }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Link
        component={To}
        to={`/dashboard/campaigns/${row.id}`}
        sx={{
          fontWeight: 600,
          display: "-webkit-box",
          WebkitLineClamp: 2,
          WebkitBoxOrient: "vertical",
          overflow: "hidden",
        }}
      >
        {titleOf(row)}
      </Link>
      <Typography variant="body2" color="textSecondary" component="span">
        {recipients(row)}, {purposeName(row.purpose)}
      </Typography>
    </Box>
  );
}

export function titleOf(row: Pick<Sent, "msg" | "type" | "wap_title" | "first_name" | "last_name">): string {
  if (row.type === "wap" && row.wap_title) return row.wap_title;
  if (row.type === "vcard") return `Card of ${row.first_name ?? ""} ${row.last_name ?? ""}`.trim();
  return row.msg;
}

/** `+234 803 123 0001 and 6 more`. */
export function recipients(row: Pick<Sent, "contacts" | "no_of_contacts">): string {
  const first = row.contacts.split(",", 1)[0];
  if (!first) return "";
  const more = row.no_of_contacts - 1;
  return more > 0 ? `${formatPhone(first)} and ${count(more)} more` : formatPhone(first);
}

/** When it went out, or will. The history has campaigns of calls, too, so its page may end before this one. */
function When({ row }: { row: Sent }) {
  const { data, isError } = useQuery({ ...headQuery(row.id), enabled: !row.campaign });
  const campaign = row.campaign ?? data;
  const known = campaign ? sentAt(campaign) : isError ? row.created_at : null;
  const at = <DateTime value={known} none="…" />;
  if (row.status !== "scheduled") return at;
  return (
    <span>
      {at}
      <Typography component="span" variant="caption" color="textSecondary" sx={{ display: "block" }}>
        goes out
      </Typography>
    </span>
  );
}

/** This list knows one sum only: before a campaign starts all of it is reserved, and while it is sent a part. */
const COST_WORDS: Record<string, string> = {
  scheduled: "reserved",
  sending: "reserved or charged",
  paused: "reserved or charged",
};

function Cost({ row }: { row: Sent }) {
  const naira = row.naira_deducted !== 0;
  const value = naira ? row.naira_deducted : row.espees_deducted;
  if (!value) return <>Nothing</>;
  return (
    <span>
      <WholeMoney value={value} currency={naira ? "naira" : "espees"} />
      <Typography component="span" variant="caption" color="textSecondary" sx={{ display: "block" }}>
        {COST_WORDS[row.status] ?? "charged"}
      </Typography>
    </span>
  );
}
