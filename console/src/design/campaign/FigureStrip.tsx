// The figures of a campaign at a glance, in one line where there is room.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { chargeOf, chargeWords } from "../charge";
import { count } from "../count";
import { wordsOf } from "../sendWords";
import { deliveryRate } from "../share";
import { WholeMoney } from "../values";
import { type Campaign, groups } from "./outcomes";

export function FigureStrip({ campaign }: { campaign: Campaign }) {
  const { counts, total_contacts } = campaign;
  const words = wordsOf(campaign.sms_type);
  const sums = groups(counts);
  const charge = chargeOf(campaign);
  const open = sums.waiting + sums.awaited;
  return (
    <Card
      component="section"
      aria-label="In figures"
      sx={{
        mb: 2,
        display: "grid",
        gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", sm: "repeat(3, 1fr)", lg: "repeat(5, 1fr)" },
        "& > *": {
          borderColor: "divider",
          borderStyle: "solid",
          borderWidth: "0 0 1px 1px",
          m: "0 0 -1px -1px",
        },
      }}
    >
      <Figure
        name="Recipients"
        note={sums.unsent > 0 ? `${count(sums.unsent)} not ${words.sent}` : "all counted once"}
      >
        {count(total_contacts)}
      </Figure>
      <Figure name={words.Reached} note={`${deliveryRate(counts)} of those with an outcome`}>
        {count(sums.delivered)}
      </Figure>
      <Figure name="Failed" note={sums.failed > 0 ? "the reasons are below" : "none"}>
        {count(sums.failed)}
      </Figure>
      <Figure
        name="Open"
        note={
          sums.unknown > 0 ? `and ${count(sums.unknown)} with an unknown outcome` : "waiting or on their way"
        }
      >
        {count(open)}
      </Figure>
      <Figure name="Cost" note={chargeWords(charge)}>
        <WholeMoney value={charge.cost} currency={charge.currency} />
      </Figure>
    </Card>
  );
}

function Figure({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <Box sx={{ px: 2, py: 1.5, minWidth: 0 }}>
      <Typography variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography
        component="p"
        sx={{
          fontSize: { xs: "1.25rem", sm: "1.375rem" },
          fontWeight: 700,
          letterSpacing: "-0.01em",
          lineHeight: 1.35,
          fontVariantNumeric: "tabular-nums",
        }}
      >
        {children}
      </Typography>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ lineHeight: 1.4 }}>
        {note}
      </Typography>
    </Box>
  );
}
