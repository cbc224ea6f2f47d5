// What it cost and why: the lines of the quote that was confirmed, and where its money is now.
import Divider from "@mui/material/Divider";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { Link as To } from "react-router-dom";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import { chargeFacts } from "../CampaignCost";
import { count } from "../count";
import { duration } from "../duration";
import { currencyOf } from "../money";
import { purposeName } from "../purpose";
import { RateLines } from "../RateLines";
import { rateLines } from "../rate";
import { wordsOf } from "../sendWords";
import { UnitPrice, WholeMoney } from "../values";
import type { Campaign } from "./outcomes";
import { Below, Fact, Facts, Panel } from "./Panel";
import { range } from "./quote";

/** `entries`: where each entry of its money is. */
export function Costs({ campaign, entries }: { campaign: Campaign; entries: string }) {
  const currency = currencyOf(campaign.currency);
  return (
    <Panel title="Cost">
      <Quoted campaign={campaign} />
      <Divider sx={{ my: 1.5 }} />
      <Facts>
        {chargeFacts(campaign).map((it) => (
          <Fact key={it.name} name={it.name} strong={it.strong}>
            <WholeMoney value={it.value} currency={currency} />
          </Fact>
        ))}
      </Facts>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
        {wordsOf(campaign.sms_type).isCall
          ? "A call is charged by the pulse from its answer on; one that is not answered costs nothing, and pulses that are not used are refunded."
          : "A message is charged when the carrier accepts it; what is rejected or never sent is refunded."}{" "}
        Each entry is in the{" "}
        <Link component={To} to={entries} underline="always">
          transaction history
        </Link>
        .
      </Typography>
    </Panel>
  );
}

function Quoted({ campaign }: { campaign: Campaign }) {
  const id = campaign.quote_id;
  const { data, isPending } = useQuery({
    queryKey: own("quotes", id),
    queryFn: () => ask(api.GET("/api/quotes/{id}", { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <Skeleton variant="rounded" height={96} />;
  // Beside the money itself, which is known, this is a help only.
  if (!data) return <Typography variant="body2">The quote's details are unavailable.</Typography>;
  const quote = data.details;
  const words = wordsOf(campaign.sms_type);
  const currency = currencyOf(quote.currency);
  const lines = words.isCall ? [] : rateLines(quote);
  return (
    <Facts>
      <Fact name="For">{purposeName(campaign.purpose)}</Fact>
      <Fact name="Recipients">{count(campaign.total_contacts)}</Fact>
      {words.isCall ? (
        <>
          <Fact name="Length">{duration(quote.length_s ?? 0)}</Fact>
          <Fact name="Pulses a call, at most">{count(quote.pulses ?? 0)}</Fact>
        </>
      ) : (
        <>
          <Fact name="Pages a message">{range(quote.pages)}</Fact>
          <Fact name="Segments a message">{range(quote.segments)}</Fact>
          <Fact name="Pages billed">{count(quote.total_pages)}</Fact>
        </>
      )}
      {lines.length === 0 ? (
        <Fact name={`Price of a ${words.unit}`}>
          <UnitPrice value={quote.unit_price} currency={currency} />
        </Fact>
      ) : (
        <Below name="Price of a page, by destination">
          <RateLines lines={lines} currency={currency} />
        </Below>
      )}
    </Facts>
  );
}
