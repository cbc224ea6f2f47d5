// The first page of the administration, which an operator keeps open: the specification's Profile Summary, and what
// the platform does. Figures are the daemon's; a refresh that fails leaves the last ones standing and says so.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControl from "@mui/material/FormControl";
import NativeSelect from "@mui/material/NativeSelect";
import OutlinedInput from "@mui/material/OutlinedInput";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { messageOf } from "../../api/problem";
import { PageHeader } from "../../design/PageHeader";
import { ErrorState } from "../../design/states";
import { DateTime } from "../../design/values";
import { CarrierPanel } from "./CarrierPanel";
import { REFRESH_MS, USUAL_HOURS, WINDOWS, waitingQuery } from "./figures";
import { MoneyPanel } from "./MoneyPanel";
import { NetworkPanel, SenderPanel } from "./NetworkPanel";
import { ProfilePanel } from "./ProfilePanel";
import { Tiles } from "./Tiles";
import { TrafficPanel } from "./TrafficPanel";
import { useFigures } from "./useFigures";
import { WaitingPanel } from "./WaitingPanel";

export default function Home() {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get("hours"));
  const hours = WINDOWS.find((it) => it.hours === asked)?.hours ?? USUAL_HOURS;
  const { figures, streams } = useFigures(hours);
  const waiting = useQuery(waitingQuery());
  const { data } = figures;

  const header = (
    <PageHeader
      title="Profile Summary"
      text={
        <span>
          Your account, and what the platform does.
          {data && (
            <>
              {" "}
              As of <DateTime value={new Date(figures.dataUpdatedAt).toISOString()} />,{" "}
              {streams ? "shown as they change" : `read again every ${REFRESH_MS / 1000} seconds`}.
            </>
          )}
        </span>
      }
      actions={
        <FormControl>
          <NativeSelect
            input={<OutlinedInput size="small" />}
            inputProps={{ "aria-label": "Time shown" }}
            value={hours}
            onChange={(event) =>
              setParams(Number(event.target.value) === USUAL_HOURS ? {} : { hours: event.target.value }, {
                replace: true,
              })
            }
          >
            {WINDOWS.map((it) => (
              <option key={it.hours} value={it.hours}>
                {it.label}
              </option>
            ))}
          </NativeSelect>
        </FormControl>
      }
    />
  );

  if (figures.isError && !data) {
    return (
      <>
        {header}
        <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
        <ProfilePanel />
      </>
    );
  }
  return (
    <>
      {header}
      {figures.isError && (
        <Alert
          severity="warning"
          sx={{ mb: 2 }}
          action={
            <Button color="inherit" size="small" onClick={() => void figures.refetch()}>
              Try again
            </Button>
          }
        >
          These figures are old: {messageOf(figures.error)}
        </Alert>
      )}
      <Box sx={{ display: "grid", gap: 2 }}>
        {data?.standstill && (
          <Alert severity="warning" variant="outlined">
            {data.standstill}
          </Alert>
        )}
        {data?.warnings?.map((text) => (
          <Alert key={text} severity="warning" variant="outlined">
            {text}
          </Alert>
        ))}
        <Tiles figures={data} />
        <Columns>
          <TrafficPanel figures={data} now={figures.dataUpdatedAt} />
          <Stacked>
            {waiting.isError && !waiting.data ? (
              <ErrorState error={waiting.error} onRetry={() => void waiting.refetch()} />
            ) : (
              <WaitingPanel figures={data} waiting={waiting.data} />
            )}
            <CarrierPanel figures={data} />
          </Stacked>
        </Columns>
        <Columns>
          <Stacked>
            <SenderPanel figures={data} />
            <MoneyPanel figures={data} />
          </Stacked>
          <NetworkPanel figures={data} />
        </Columns>
        <ProfilePanel />
        <Typography variant="body2" color="textSecondary">
          Traffic is counted in the hour in which its campaign started and follows the receipts; money is the
          ledger's, ten seconds behind.
        </Typography>
      </Box>
    </>
  );
}

function Columns({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        // A card ends where its content does.
        alignItems: "start",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 1fr)" },
      }}
    >
      {children}
    </Box>
  );
}

/** Two cards, one below the other. */
function Stacked({ children }: { children: ReactNode }) {
  return <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>{children}</Box>;
}
