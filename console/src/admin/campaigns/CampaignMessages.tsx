// The messages of one campaign, page by page, of one status or of all. A page stays fast at a million messages: the daemon
// finds it by its place.
import FormControl from "@mui/material/FormControl";
import NativeSelect from "@mui/material/NativeSelect";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import { DataTable } from "../../design/DataTable";
import { wordsOf } from "../../design/sendWords";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { messageColumns } from "../list/messageColumns";
import { type Campaign, isOpen } from "./campaign";
import { MESSAGE_STATUSES } from "./StatusBreakdown";

const FOLLOW_MS = 5_000;

export function CampaignMessages({ campaign }: { campaign: Campaign }) {
  const state = useTableState({ filters: ["status"] });
  const status = state.filters.status ?? "";
  const result = useQuery({
    queryKey: own("campaign-messages", campaign.id, status, state.query),
    queryFn: async () => {
      const { page, per_page } = state.query;
      const query = { page, per_page, ...(status ? { status } : {}) };
      const answer = await ask(
        api.GET("/api/campaigns/{id}/messages", { params: { path: { id: campaign.id }, query } }),
      );
      return { rows: answer.messages, total: answer.total };
    },
    placeholderData: (before) => before,
    refetchInterval: isOpen(campaign) ? FOLLOW_MS : false,
  });
  const words = wordsOf(campaign.sms_type);
  return (
    <section aria-labelledby="campaign-messages">
      <Typography id="campaign-messages" variant="h2" sx={{ mb: 1.5 }}>
        {words.Many}
      </Typography>
      <DataTable
        label={`${words.Many} of the campaign`}
        columns={messageColumns({ currency: campaign.currency })}
        rowKey={(row) => row.id}
        result={result}
        state={state}
        toolbar={
          <FormControl>
            <NativeSelect
              inputProps={{ "aria-label": "Status" }}
              value={status}
              onChange={(event) => state.setFilter("status", event.target.value)}
            >
              <option value="">All statuses</option>
              <option value="failed">Failed</option>
              {MESSAGE_STATUSES.map((it) => (
                <option key={it.status} value={it.status}>
                  {it.label} ({campaign.counts[it.status].toLocaleString("en")})
                </option>
              ))}
            </NativeSelect>
          </FormControl>
        }
        empty={
          <EmptyState
            title={status ? `No ${words.one} has this status` : `Nothing was ${words.sent} yet`}
            text={
              status
                ? "Choose another status to see the others."
                : `${words.Many} are listed as soon as they are ${words.begun}.`
            }
          />
        }
      />
    </section>
  );
}
