// A carrier as the daemon shows it, read again every few seconds, and what its states allow.
import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { wordsOf } from "../../design/sendWords";

export type Carrier = components["schemas"]["Carrier"];

const REFRESH_MS = 5_000;
/** Calls come and go faster than messages pile up. */
const CALLS_REFRESH_MS = 2_000;

export const carriersQuery = () =>
  queryOptions({
    queryKey: own("carriers"),
    queryFn: () => ask(api.GET("/admin/carriers")),
    refetchInterval: ({ state }) =>
      state.data?.carriers.some(({ calls }) => calls) ? CALLS_REFRESH_MS : REFRESH_MS,
    refetchIntervalInBackground: false,
  });

type HoldState = Pick<Carrier, "state" | "configured">;

export const canPause = ({ state, configured }: HoldState) => configured && state !== "paused";
export const canDrain = ({ state, configured }: HoldState) =>
  configured && state !== "draining" && state !== "drained";
export const canResume = ({ state }: HoldState) => state !== "open";
/** Calls are hung up where a daemon has them. */
export const canHangUp = ({ calls }: Pick<Carrier, "calls">) => !!calls && calls.up > 0;
/** Messages can be rerouted only from a carrier that takes no new ones. */
export const canReroute = ({ state, configured }: HoldState) => !configured || state !== "open";
/** A trunk carries calls alone: it takes no test message, and has no PDUs to trace. */
export const isTrunk = ({ kind }: Pick<Carrier, "kind">) => kind === "sip" || kind === "http-voice";
/** `1 call` of a trunk, `2,000 messages` of any other carrier. */
export const carried = (carrier: Pick<Carrier, "kind">, many: number) =>
  wordsOf(isTrunk(carrier) ? "voice" : "text").of(many);
export const canTest = (carrier: Pick<Carrier, "kind" | "configured">) =>
  carrier.configured && !isTrunk(carrier);
