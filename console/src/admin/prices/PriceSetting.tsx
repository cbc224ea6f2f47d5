// One unit price: the form, and what the price typed leaves over what carriers took lately.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { TextInput } from "react-admin";
import { useWatch } from "react-hook-form";
import type { Currency } from "../../design/money";
import { UnitPrice } from "../../design/values";
import { Setting } from "../form/SettingPage";
import { amount } from "../form/validate";
import { Margins } from "./Margins";
import { type PriceChange, priceChange, signed, warningOf } from "./priceChange";

export type PriceName =
  | "SMS-UNIT-PRICE"
  | "SMS-UNIT-PRICE-IN-NAIRA"
  | "SMS-ABROAD-UNIT-PRICE"
  | "SMS-ABROAD-UNIT-PRICE-IN-NAIRA"
  | "VOICE-UNIT-PRICE"
  | "VOICE-UNIT-PRICE-NAIRA"
  | "VIRTUAL-UNIT-PRICE"
  | "OWN-UNIT-PRICE";

interface Props {
  price: PriceName;
  title: string;
  /** What one unit is. */
  unit: string;
  currency: Currency;
  /** Carriers' costs are known by the segment of a short message. */
  margins?: boolean;
}

export function PriceSetting({ price, title, unit, currency, margins }: Props) {
  return (
    <Setting
      resource={price}
      title={title}
      save="Save unit price"
      failedToGet="Failed to get Unit Price."
      failedToSet="Failed to update Unit Price."
      ask={(values, record) => {
        const change = priceChange(record.price, values.price);
        return (
          change && {
            title: change.before === null ? "Set the price?" : "Change the price?",
            confirm: change.before === null ? "Set the price" : "Change the price",
            text: <Change {...{ title, unit, currency, margins, change }} />,
          }
        );
      }}
    >
      <TextInput
        source="price"
        label={`Price in ${currency === "espees" ? "ESPEES" : "Naira"}`}
        fullWidth
        autoComplete="off"
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
        validate={(value: unknown) => amount(value, "Price is required")}
        helperText={`For ${unit}. Quotes that were given keep theirs; 0 = free of charge.`}
      />
      {margins && <Typed currency={currency} />}
    </Setting>
  );
}

/** Old and new side by side where there is an old one, and what is left of the new one. */
function Change(props: Omit<Props, "price"> & { change: PriceChange }) {
  const { title, unit, currency, margins, change } = props;
  const warning = warningOf(change);
  return (
    <>
      <Typography color="textSecondary" gutterBottom>
        {title}, for {unit}. Quotes that were given keep theirs.
      </Typography>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "baseline", columnGap: 1.5, my: 1.5 }}>
        {change.before !== null && (
          <>
            <Typography component="del" sx={{ fontSize: "1.125rem", color: "text.secondary" }}>
              <UnitPrice value={change.before} currency={currency} />
            </Typography>
            <span aria-hidden>→</span>
          </>
        )}
        <Typography component="ins" sx={{ fontSize: "1.5rem", fontWeight: 700, textDecoration: "none" }}>
          <UnitPrice value={change.after} currency={currency} />
        </Typography>
        {change.tenths !== null && (
          <Typography component="span" sx={{ fontWeight: 600 }}>
            {signed(change.tenths)}
          </Typography>
        )}
      </Box>
      {warning && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 2 }}>
          {warning}
        </Alert>
      )}
      {margins && <Margins currency={currency} price={change.after} />}
    </>
  );
}

function Typed({ currency }: { currency: Currency }) {
  const typed: unknown = useWatch({ name: "price" });
  return <Margins currency={currency} price={String(typed ?? "")} />;
}
