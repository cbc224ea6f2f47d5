// The money of a campaign, as lists and pages of both roles show it.
import Typography from "@mui/material/Typography";
import { type ChargedCampaign, chargeOf, chargeWords } from "./charge";
import { micros } from "./money";
import { WholeMoney } from "./values";

/** In a list: what it holds or took of the wallet, and which of the two. */
export function CampaignCost({ campaign }: { campaign: ChargedCampaign }) {
  const charge = chargeOf(campaign);
  return (
    <span>
      <WholeMoney value={charge.cost} currency={charge.currency} />
      <Typography component="span" variant="caption" color="textSecondary" sx={{ display: "block" }}>
        {chargeWords(charge)}
      </Typography>
    </span>
  );
}

/** On its page: names and amounts, which add up to the first. */
export function chargeFacts(campaign: ChargedCampaign): { name: string; value: string; strong?: boolean }[] {
  const charge = chargeOf(campaign);
  return [
    { name: "Confirmed price", value: charge.total, strong: true },
    { name: "Reserved", value: charge.reserved },
    { name: "Charged", value: charge.charged },
    { name: "Refunded", value: charge.refunded },
  ].filter((it) => it.strong || it.name === "Charged" || micros(it.value) !== 0n);
}
