// What would change of the rates, price by price: asked about before it is saved, and shown of a file before it is taken.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { counted } from "../../design/count";
import { amountOf } from "../../design/money";
import { destinationKey } from "../../design/rate";
import { UnitPrice } from "../../design/values";
import { STEEP_PERCENT, signed, warningOf } from "./priceChange";
import { CURRENCY_WORDS, nameOf, type RateChange } from "./rateList";
import { listLabel } from "./rateLists";

const SHOWN = 100;

/** `2 prices are set for the first time, 1 changes, 3 are removed`. */
export function summaryOf(changes: readonly RateChange[]): string {
  const first = changes.filter((it) => it.before === null).length;
  const gone = changes.filter((it) => it.after === null).length;
  const others = changes.length - first - gone;
  const parts = [
    first > 0 && counted(first, "price is new", "prices are new"),
    others > 0 && counted(others, "price changes", "prices change"),
    gone > 0 && counted(gone, "price is removed", "prices are removed"),
  ].filter((it) => it !== false);
  return `${parts.join(", ")}.`;
}

interface Props {
  changes: readonly RateChange[];
  /** Whether each change says which list it is in. */
  isListed?: boolean;
}

export function RateChanges({ changes, isListed = false }: Props) {
  const steep = changes.filter((it) => it.told?.steep && !it.told.free).length;
  const free = changes.filter((it) => it.told?.free).length;
  return (
    <>
      {(steep > 0 || free > 0) && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 2 }}>
          {steep > 0 && (
            <div>
              {counted(steep, "price changes", "prices change")} by more than {String(STEEP_PERCENT)} %. Check
              where the decimal point is.
            </div>
          )}
          {free > 0 && <div>{counted(free, "price becomes", "prices become")} free of charge.</div>}
        </Alert>
      )}
      <Box component="ul" aria-label="Changes" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {changes.slice(0, SHOWN).map((change) => (
          <Changed
            key={`${change.list ?? ""} ${destinationKey(change.row)} ${change.currency}`}
            change={change}
            list={isListed && change.list !== undefined ? listLabel(change.list) : null}
          />
        ))}
      </Box>
      {changes.length > SHOWN && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          and {(changes.length - SHOWN).toLocaleString("en")} more.
        </Typography>
      )}
    </>
  );
}

function Changed({ change, list }: { change: RateChange; list: string | null }) {
  const { row, currency, before, after, told } = change;
  // Of a price that changes by much the percents are enough: what to check is said above.
  const warning = told && (told.tenths === null || told.free) ? warningOf(told) : null;
  const price = (value: bigint) => <UnitPrice value={amountOf(value)} currency={currency} />;
  return (
    <Box component="li" sx={{ py: 1, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "baseline", columnGap: 1 }}>
        <Typography component="span" sx={{ flex: { xs: "1 0 100%", sm: "1 1 140px" }, fontWeight: 600 }}>
          {list !== null && (
            <Typography component="span" variant="body2" color="textSecondary" sx={{ display: "block" }}>
              {list}:
            </Typography>
          )}
          {nameOf(row)}, {CURRENCY_WORDS[currency]}
        </Typography>
        {before !== null && (
          <Box component="del" sx={{ color: "text.secondary" }}>
            {price(before)}
          </Box>
        )}
        {before !== null && <span aria-hidden>→</span>}
        {after === null ? (
          <b>removed</b>
        ) : (
          <Box component="ins" sx={{ fontWeight: 700, textDecoration: "none" }}>
            {price(after)}
          </Box>
        )}
        {told && told.tenths !== null && (
          <Box component="span" sx={told.steep ? { color: "warning.main", fontWeight: 700 } : undefined}>
            {signed(told.tenths)}
          </Box>
        )}
      </Box>
      {warning && (
        <Typography variant="body2" sx={{ color: "warning.main" }}>
          {warning}
        </Typography>
      )}
    </Box>
  );
}
