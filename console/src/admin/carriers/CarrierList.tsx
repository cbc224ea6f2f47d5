// All carriers, as they are now.
import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../../api/problem";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { CarrierCard } from "./CarrierCard";
import { carriersQuery } from "./carrier";
import { ReloadButton } from "./ReloadButton";

export default function CarrierList() {
  const { data, error, isError, refetch } = useQuery(carriersQuery());
  return (
    <>
      <PageHeader
        title="Carriers"
        text="Who takes the messages, how each fares, and what waits at it. Read again every five seconds."
        actions={<ReloadButton />}
      />
      {!data && !isError && <PageSkeleton />}
      {!data && isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && isError && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          This is old: {messageOf(error)}
        </Alert>
      )}
      {data?.carriers.length === 0 && (
        <EmptyState
          title="No carrier is configured"
          text="Nothing can be sent. Add one to the configuration file, then reload the configuration here."
        />
      )}
      <Stack sx={{ gap: 2 }}>
        {data?.carriers.map((it) => (
          <CarrierCard key={it.name} carrier={it} all={data.carriers} />
        ))}
      </Stack>
    </>
  );
}
