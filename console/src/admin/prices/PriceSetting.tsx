// One unit price: the form, and what the price typed leaves over what carriers took lately.
import { TextInput } from "react-admin";
import { useWatch } from "react-hook-form";
import type { Currency } from "../../design/money";
import { Setting } from "../form/SettingPage";
import { amount } from "../form/validate";
import { Margins } from "./Margins";

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
    >
      <TextInput
        source="price"
        label={`Price in ${currency === "espees" ? "ESPEES" : "Naira"}`}
        fullWidth
        autoComplete="off"
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
        validate={(value: unknown) => amount(value, "Price is required")}
        helperText={`For ${unit}. Quotes that were given keep theirs; zero makes it free, on purpose.`}
      />
      {margins && <Typed currency={currency} />}
    </Setting>
  );
}

function Typed({ currency }: { currency: Currency }) {
  const typed: unknown = useWatch({ name: "price" });
  return <Margins currency={currency} price={String(typed ?? "")} />;
}
