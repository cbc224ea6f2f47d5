// /dashboard/messages?number=...: every message to one number, over all campaigns.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import { MessagesTable } from "../../design/campaign/MessagesTable";
import { PageHeader } from "../../design/PageHeader";
import { SearchField } from "../../design/SearchField";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { ReportLinks } from "./ReportLinks";

export default function FindNumber() {
  const state = useTableState({ filters: ["number"] });
  const number = state.filters.number ?? "";
  const { page, per_page } = state.query;
  const result = useQuery({
    queryKey: own("campaigns", "number", number, page, per_page),
    queryFn: async () => {
      const query = { number, page, per_page };
      const { messages, total } = await ask(api.GET("/api/messages", { params: { query } }));
      return { rows: messages, total };
    },
    enabled: number !== "",
    placeholderData: keepPreviousData,
  });
  const unasked = { ...result, data: { rows: [], total: 0 }, isFetching: false, isError: false };
  return (
    <>
      <PageHeader
        title="Find a Number"
        text="Every message and call to one number, newest first, whichever campaign it belonged to."
        actions={<ReportLinks but="find" />}
      />
      <MessagesTable
        label="Messages to the number"
        result={number ? result : unasked}
        state={state}
        toolbar={
          <SearchField
            label="Phone number"
            value={number}
            onSearch={(text) => state.setFilter("number", text)}
          />
        }
        empty={
          number ? (
            <EmptyState
              title="Nothing was sent to this number"
              text="Check its digits. It can be written in any form, such as 0803 123 4567 or +234 803 123 4567."
            />
          ) : (
            <EmptyState
              title="Which number?"
              text="Write it in any form, such as 0803 123 4567 or +234 803 123 4567."
            />
          )
        }
      />
    </>
  );
}
