import { SettingPage } from "../form/SettingPage";
import { PriceHistory } from "./PriceHistory";
import { PriceSetting } from "./PriceSetting";

export default function NairaUnitPrice() {
  return (
    <SettingPage title="Naira Unit Prices" text="What customers pay from their Naira balance.">
      <PriceSetting price="SMS-UNIT-PRICE-IN-NAIRA" title="SMS" unit="one page" currency="naira" margins />
      <PriceSetting
        price="SMS-ABROAD-UNIT-PRICE-IN-NAIRA"
        title="SMS abroad"
        unit="one page to a number outside Nigeria that no rate is set for; while it is not set, such numbers are rejected"
        currency="naira"
      />
      <PriceSetting
        price="VOICE-UNIT-PRICE-NAIRA"
        title="Voice"
        unit="one pulse of a call"
        currency="naira"
      />
      <PriceHistory
        prices={["SMS-UNIT-PRICE-IN-NAIRA", "SMS-ABROAD-UNIT-PRICE-IN-NAIRA", "VOICE-UNIT-PRICE-NAIRA"]}
      />
    </SettingPage>
  );
}
