import { SettingPage } from "../settings/SettingPage";
import { PriceHistory } from "./PriceHistory";
import { PriceSetting } from "./PriceSetting";

export default function SmsUnitPrice() {
  return (
    <SettingPage
      title="SMS Unit Price"
      text="What a page of a short message costs a customer who pays in ESPEES. The Naira price is under Paystack."
    >
      <PriceSetting
        price="SMS-UNIT-PRICE"
        title="A page in ESPEES"
        unit="one page"
        currency="espees"
        margins
      />
      <PriceHistory prices={["SMS-UNIT-PRICE"]} />
    </SettingPage>
  );
}
