// /dashboard/delivery-reports: what became of the campaigns of a period, and all of it as delivery_reports.csv.
import DownloadOutlined from "@mui/icons-material/DownloadOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link as To } from "react-router-dom";
import { messageOf } from "../../api/problem";
import { CampaignCost } from "../../design/CampaignCost";
import { CampaignStatus } from "../../design/campaign/CampaignStatus";
import { OutcomeBar } from "../../design/campaign/OutcomeBar";
import { type Campaign, groups, KINDS, kindName, VOICE } from "../../design/campaign/outcomes";
import { history, historyKey, type ReportFilter, saveReports } from "../../design/campaign/reports";
import { sentAt } from "../../design/campaign/sentAt";
import { count } from "../../design/count";
import { type Column, DataTable } from "../../design/DataTable";
import { DateInput } from "../../design/DateInput";
import { formatDate } from "../../design/dateTime";
import { PageHeader } from "../../design/PageHeader";
import { purposeName } from "../../design/purpose";
import { share } from "../../design/share";
import { EmptyState } from "../../design/states";
import { type TableState, useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { DateTime } from "../../design/values";
import { KindTabs } from "./KindTabs";
import { ReportLinks } from "./ReportLinks";

const COLUMNS: Column<Campaign>[] = [
  { key: "campaign", label: "Campaign", width: "30%", cell: (row) => <Named row={row} /> },
  {
    key: "contacts",
    label: "Recipients",
    align: "right",
    phone: "labelled",
    cell: (row) => count(row.total_contacts),
  },
  {
    key: "outcomes",
    label: "Delivered",
    width: "22%",
    phone: "labelled",
    cell: (row) => <Delivered row={row} />,
  },
  { key: "failed", label: "Failed", align: "right", cell: (row) => count(groups(row.counts).failed) },
  {
    key: "cost",
    label: "Cost",
    align: "right",
    phone: "figure",
    cell: (row) => <CampaignCost campaign={row} />,
  },
  {
    key: "status",
    label: "Status",
    phone: "status",
    cell: (row) => <CampaignStatus status={row.status} campaign={row} />,
  },
  { key: "at", label: "Confirmed", phone: "plain", cell: (row) => <When row={row} /> },
];

export default function DeliveryReports() {
  const state = useTableState({ filters: ["type", "from", "to"] });
  const kind = [...KINDS, VOICE].find((it) => it.code === state.filters.type)?.code ?? "";
  const which: ReportFilter = {
    ...(kind ? { type: kind } : {}),
    ...(state.filters.from ? { from: state.filters.from } : {}),
    ...(state.filters.to ? { to: state.filters.to } : {}),
  };
  const { page, per_page } = state.query;
  const result = useQuery({
    queryKey: historyKey({ ...which, page, per_page }),
    queryFn: () => history({ ...which, page, per_page }),
    placeholderData: keepPreviousData,
  });
  const narrowed = which.from !== undefined || which.to !== undefined;
  return (
    <>
      <PageHeader
        title="Delivery Reports"
        text="What became of each campaign. Open one for its numbers, networks and reasons."
        actions={<ReportLinks />}
      />
      <KindTabs
        label="Kind of message"
        all
        more={[VOICE]}
        value={kind}
        onChange={(to) => state.setFilter("type", to)}
      >
        <DataTable
          label={`Delivery reports, ${kind ? kindName(kind) : "all kinds"}`}
          columns={COLUMNS}
          rowKey={(row) => row.id}
          result={result}
          state={state}
          failure="Failed to fetch campaign history."
          filters={{ inputs: <Period state={state} />, names: ["from", "to"] }}
          extra={<Save which={which} total={result.data?.total ?? 0} />}
          empty={
            narrowed ? (
              <EmptyState
                title="Nothing was confirmed in this period"
                text="Choose other dates, or see all of them."
                action={{ label: "See all dates", onClick: () => state.setFilters({ from: "", to: "" }) }}
              />
            ) : (
              <EmptyState
                title={kind ? `No ${kindName(kind)} campaigns yet` : "No campaigns yet"}
                text="Send a message, and what becomes of it is shown here."
                action={
                  kind === VOICE.code
                    ? { label: "Send a voice message", to: "/dashboard/text-to-speech" }
                    : { label: "Send a message", to: "/dashboard/compose-sms" }
                }
              />
            )
          }
        />
      </KindTabs>
    </>
  );
}

function Named({ row }: { row: Campaign }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Link
        component={To}
        to={`/dashboard/campaigns/${row.id}`}
        sx={{
          fontWeight: 600,
          display: "-webkit-box",
          WebkitLineClamp: 1,
          WebkitBoxOrient: "vertical",
          overflow: "hidden",
        }}
      >
        {row.msg || `Campaign ${row.id}`}
      </Link>
      <Typography variant="body2" color="textSecondary" component="span">
        {row.senderid}, {kindName(row.sms_type)}, {purposeName(row.purpose)}
      </Typography>
    </Box>
  );
}

/** When it was confirmed, which the period is of; and when it went out, or will, where that is another time. */
function When({ row }: { row: Campaign }) {
  const at = sentAt(row);
  const isLater = Date.parse(at) - Date.parse(row.created_at) >= LATER_MS;
  return (
    <span>
      <DateTime value={row.created_at} />
      {isLater && (
        <Typography component="span" variant="caption" color="textSecondary" sx={{ display: "block" }}>
          {row.started_at ? "sent" : "goes out"} <DateTime value={at} />
        </Typography>
      )}
    </span>
  );
}

/** What is sent at once begins within a minute, which is what times are shown by. */
const LATER_MS = 60_000;

function Delivered({ row }: { row: Campaign }) {
  const { delivered } = row.counts;
  return (
    <Box sx={{ minWidth: { xs: 90, sm: 120 }, width: "100%" }}>
      <Typography variant="body2" sx={{ mb: 0.5, fontVariantNumeric: "tabular-nums" }}>
        {count(delivered)} ({share(delivered, row.total_contacts)})
      </Typography>
      <OutcomeBar label={`Outcomes of campaign ${row.id}`} groups={groups(row.counts)} height={8} />
    </Box>
  );
}

/** From day to day, both within, as the viewer's zone has them. */
function Period({ state }: { state: TableState }) {
  const { from = "", to = "" } = state.filters;
  const today = formatDate(new Date());
  const days = (back: number) => formatDate(Date.now() - back * 86_400_000);
  const choices = [
    ["Today", today],
    ["7 days", days(6)],
    ["30 days", days(29)],
  ] as const;
  const date = (name: "from" | "to", label: string, value: string) => (
    <DateInput
      label={label}
      value={value}
      min={name === "to" ? from : undefined}
      max={name === "from" ? to || today : today}
      onChange={(day) => state.setFilter(name, day)}
      sx={{ width: { xs: "100%", sm: 170 } }}
    />
  );
  return (
    <Stack
      role="group"
      aria-label="Confirmed in"
      sx={{ flexDirection: "row", flexWrap: "wrap", gap: 1.5, alignItems: "center" }}
    >
      {date("from", "From", from)}
      {date("to", "To", to)}
      {choices.map(([label, start]) => (
        <Button
          key={label}
          size="small"
          variant={from === start && to === "" ? "contained" : "outlined"}
          aria-pressed={from === start && to === ""}
          onClick={() => state.setFilters({ from: start, to: "" })}
        >
          {label}
        </Button>
      ))}
    </Stack>
  );
}

function Save({ which, total }: { which: ReportFilter; total: number }) {
  const save = useMutation({
    mutationFn: () => saveReports(which),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <Button
      variant="contained"
      startIcon={<DownloadOutlined />}
      disabled={total === 0}
      loading={save.isPending}
      loadingPosition="start"
      onClick={() => save.mutate()}
    >
      Download CSV
    </Button>
  );
}
