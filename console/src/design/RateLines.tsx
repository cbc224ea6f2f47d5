// How the price of a message adds up where its pages have several prices: a line for each.
import Box from "@mui/material/Box";
import { counted } from "./count";
import type { Currency } from "./money";
import { destinationKey, destinationName, type RateLine } from "./rate";
import { UnitPrice, WholeMoney } from "./values";

/** The others are shown by a click. */
const SHOWN = 6;

export function RateLines({ lines, currency }: { lines: readonly RateLine[]; currency: Currency }) {
  // One more takes no more room than what would say so.
  const shown = lines.length <= SHOWN + 1 ? lines : lines.slice(0, SHOWN);
  const rest = lines.slice(shown.length);
  return (
    <>
      <List lines={shown} currency={currency} />
      {rest.length > 0 && (
        <Box component="details" sx={{ mt: 0.75, "& summary": { cursor: "pointer", fontWeight: 600 } }}>
          <summary>{rest.length} more destinations</summary>
          <List lines={rest} currency={currency} />
        </Box>
      )}
    </>
  );
}

function List({ lines, currency }: { lines: readonly RateLine[]; currency: Currency }) {
  return (
    <Box
      component="ul"
      aria-label="Price by destination"
      sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 0.75, fontSize: "0.875rem" }}
    >
      {lines.map((line) => (
        <Box
          component="li"
          key={destinationKey(line)}
          sx={{
            display: "flex",
            flexWrap: "wrap",
            justifyContent: "space-between",
            columnGap: 2,
            textAlign: "left",
            overflowWrap: "anywhere",
          }}
        >
          <b>{destinationName(line)}</b>
          <WholeMoney value={line.charges} currency={currency} />
          <Box component="span" sx={{ flexBasis: "100%", color: "text.secondary", fontWeight: 400 }}>
            {counted(line.pages, "page")} at <UnitPrice value={line.unit_price} currency={currency} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
