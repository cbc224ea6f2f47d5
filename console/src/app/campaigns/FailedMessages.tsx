// /dashboard/failed-messages: over all campaigns, who got nothing and why.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import { MessagesTable } from "../../design/campaign/MessagesTable";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { ReportLinks } from "./ReportLinks";

export default function FailedMessages() {
  const state = useTableState();
  const { page, per_page } = state.query;
  const result = useQuery({
    queryKey: own("campaigns", "failed", page, per_page),
    queryFn: async () => {
      const query = { page, per_page };
      const { messages, total } = await ask(api.GET("/api/get-failed-messages", { params: { query } }));
      return { rows: messages, total };
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Failed Messages"
        text="Messages that were not delivered and calls that were not answered, the newest campaign first. Open a campaign to send what failed again."
        actions={<ReportLinks but="failed" />}
      />
      <MessagesTable
        label="Failed messages"
        result={result}
        state={state}
        empty={
          <EmptyState
            title="Nothing has failed"
            text="Messages that could not be delivered and calls that were not answered are listed here, each with its reason."
            action={{ label: "See delivery reports", to: "/dashboard/delivery-reports" }}
          />
        }
      />
    </>
  );
}
