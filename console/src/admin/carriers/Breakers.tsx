// The networks to which promotional messages wait, as the carrier delivers too few of them: what opened each, how many
// messages wait, and a button that lets them go at once.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { ApiProblem } from "../../api/problem";
import type { components } from "../../api/schema";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { count } from "../../design/count";
import { networkName } from "../../design/network";
import { FormAlert } from "../../design/states";
import { DateTime } from "../../design/values";
import { useAction } from "../action";
import type { Carrier } from "./carrier";

type Breaker = components["schemas"]["CarrierBreaker"];

export function Breakers({ carrier }: { carrier: Carrier }) {
  return carrier.breakers?.map((it) => (
    <Alert
      key={it.network}
      severity="warning"
      sx={{ mb: 2 }}
      action={<CloseButton carrier={carrier.name} network={it.network} />}
    >
      {count(it.waiting)} promotional {it.waiting === 1 ? "message waits" : "messages wait"} for{" "}
      {networkName(it.network)} since <DateTime value={it.opened_at} />: {whyOf(it)}.{" "}
      {it.state === "half_open" ? "A few are being tried" : "A few are tried"}
      {it.probe_at && (
        <>
          , next at <DateTime value={it.probe_at} />
        </>
      )}
      .
    </Alert>
  ));
}

function whyOf({ delivered, failed, changed_by }: Breaker): string {
  if (changed_by) return `opened by ${changed_by}`;
  return `${count(delivered)} of ${count(delivered + failed)} were delivered`;
}

function CloseButton({ carrier, network }: { carrier: string; network: string }) {
  const [open, setOpen] = useState(false);
  const [alert, setAlert] = useState<string | null>(null);
  const closing = useAction("carriers", "breaker", {
    onDone: () => setOpen(false),
    onFailed: (problem) => setAlert(problem instanceof ApiProblem ? problem.message : "Something went wrong"),
  });
  const name = networkName(network);
  return (
    <>
      <Button
        size="small"
        color="inherit"
        aria-label={`Send to ${name} by ${carrier}`}
        onClick={() => {
          setAlert(null);
          setOpen(true);
        }}
      >
        Send now
      </Button>
      <ConfirmDialog
        open={open}
        title={`Send promotional messages to ${name} by ${carrier}?`}
        confirm="Send now"
        busy={closing.isPending}
        onConfirm={() => closing.mutate({ id: carrier, data: { network, state: "closed" } })}
        onClose={() => setOpen(false)}
      >
        <FormAlert text={alert} />
        <Typography>
          Those that wait go out, whether {name} delivers again or not. If too few are delivered, the rest
          waits again.
        </Typography>
      </ConfirmDialog>
    </>
  );
}
