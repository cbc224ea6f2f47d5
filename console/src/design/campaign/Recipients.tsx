// Each message or call of the campaign: by status, by one reason, or the one to a number.
import CloseOutlined from "@mui/icons-material/CloseOutlined";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import { Choice } from "../Choice";
import { count } from "../count";
import { currencyOf } from "../money";
import { SearchField } from "../SearchField";
import { wordsOf } from "../sendWords";
import { EmptyState } from "../states";
import { useTableState } from "../tableState";
import { useThrottled } from "./live";
import { MessagesTable } from "./MessagesTable";
import { type Campaign, GROUPS, groupOf, groups, type Status } from "./outcomes";

const AGAIN_MS = 5_000;
/** Of those with one reason, which are counted for each answer, as in the panels above; of many, less often. */
const REASON_AGAIN_MS = 10_000;
const MANY = 10_000;
const MANY_AGAIN_MS = 30_000;
/** How the daemon is asked for messages of which nothing was said, and how that is shown. */
export const NO_REASON = "none";
export const NOTHING_SAID = "No reason was given";

interface Props {
  campaign: Campaign;
  messageAddress: (id: number) => string;
  numberAddress: (number: string) => string;
  /** Where a list of its recipients is sent to; where the viewer may. */
  sendAddress: ((list: string) => string) | undefined;
}

/** Where the list stands on the page. */
export const LIST = "recipients";

export function Recipients({ campaign, messageAddress, numberAddress, sendAddress }: Props) {
  const state = useTableState({ filters: ["status", "number", "reason"] });
  const { id, counts } = campaign;
  const { status = "", number = "" } = state.filters;
  // A reason is one of a status.
  const reason = status && status !== "failed" ? (state.filters.reason ?? "") : "";
  const { page, per_page } = state.query;
  // Asked again when the figures above have changed.
  const stamp = useThrottled(JSON.stringify(counts), again(campaign, reason));
  const result = useQuery({
    queryKey: own("campaigns", "messages", id, status, reason, number, page, per_page, stamp),
    queryFn: () =>
      number ? found(id, number) : listed(id, { status, ...(reason && { reason }), page, per_page }),
    placeholderData: keepPreviousData,
  });
  const words = wordsOf(campaign.sms_type);
  const set = (filters: { status?: string; number?: string }) =>
    state.setFilters({ status: "", number: "", reason: "", ...filters });
  return (
    <section aria-labelledby={LIST}>
      <Typography variant="h2" id={LIST} sx={{ mt: 4, mb: 1.5, scrollMarginTop: 88 }}>
        {words.Many}
      </Typography>
      <MessagesTable
        label={`${words.Many} of campaign ${id}`}
        currency={currencyOf(campaign.currency)}
        address={messageAddress}
        result={result}
        state={state}
        toolbar={
          <Stack sx={{ flexDirection: "row", flexWrap: "wrap", gap: 2 }}>
            <Choice
              label="Status"
              value={status}
              options={choices(campaign)}
              onChange={(to) => set({ status: to })}
              sx={{ maxWidth: { sm: 240 } }}
            />
            <SearchField label="Find a number" value={number} onSearch={(text) => set({ number: text })} />
            {reason && (
              <Button
                variant="outlined"
                color="inherit"
                endIcon={<CloseOutlined />}
                aria-label={`${reason === NO_REASON ? NOTHING_SAID : reason}: list all that are ${status}`}
                onClick={() => set({ status })}
                sx={{ alignSelf: "center", textAlign: "left", fontWeight: 400 }}
              >
                {reason === NO_REASON ? NOTHING_SAID : reason}
              </Button>
            )}
            {sendAddress &&
              !number &&
              !reason &&
              // What is on its way has no outcome that a list could be of.
              groupOf(status) !== "waiting" &&
              (result.data?.total ?? 0) > 0 && (
                <Button
                  component={Link}
                  to={sendAddress(status ? `campaign:${id}:${status}` : `campaign:${id}`)}
                  sx={{ alignSelf: "center" }}
                >
                  Send to these
                </Button>
              )}
          </Stack>
        }
        empty={
          number ? (
            <EmptyState
              title={`This campaign has no ${words.one} to this number`}
              text="Check its digits, or look for it over all campaigns."
              action={{
                label: "Look in all campaigns",
                to: numberAddress(number),
              }}
            />
          ) : (
            <EmptyState
              title={`No ${words.one} is in this status${reason && " for this reason"}`}
              text={`Choose another status, or see all ${words.many}.`}
              action={{ label: `See all ${words.many}`, onClick: () => set({}) }}
            />
          )
        }
      />
    </section>
  );
}

function again({ total_contacts }: Campaign, reason: string): number {
  if (!reason) return AGAIN_MS;
  return total_contacts > MANY ? MANY_AGAIN_MS : REASON_AGAIN_MS;
}

async function listed(
  id: number,
  query: { status: string; reason?: string; page: number; per_page: number },
) {
  const { messages, total } = await ask(
    api.GET("/api/campaigns/{id}/messages", { params: { path: { id }, query } }),
  );
  return { rows: messages, total };
}

async function found(id: number, number: string) {
  const query = { number, campaign_id: id, page: 1, per_page: 20 };
  const { messages, total } = await ask(api.GET("/api/messages", { params: { query } }));
  return { rows: messages, total };
}

function choices({ counts, total_contacts }: Campaign): [string, string][] {
  const statuses = GROUPS.flatMap((it) => it.statuses).filter((status: Status) => counts[status] > 0);
  return [
    ["", `All (${count(total_contacts)})`],
    ["failed", `All that failed (${count(groups(counts).failed)})`],
    ...statuses.map((status): [string, string] => [
      status,
      `${status.charAt(0).toUpperCase()}${status.slice(1)} (${count(counts[status])})`,
    ]),
  ];
}
