import { SettingPage } from "../form/SettingPage";
import { PriceHistory } from "./PriceHistory";
import { PriceSetting } from "./PriceSetting";

export default function SmsUnitPrice() {
  return (
    <SettingPage
      title="SMS Unit Price"
      text="What a page of a short message costs a customer who pays in ESPEES. The Naira price is under Paystack, and what differs by destination under Rates."
    >
      <PriceSetting
        price="SMS-UNIT-PRICE"
        title="A page in ESPEES"
        unit="one page"
        currency="espees"
        margins
      />
      <PriceSetting
        price="SMS-ABROAD-UNIT-PRICE"
        title="A page abroad, in ESPEES"
        unit="one page to a number outside Nigeria that no rate is set for; while it is not set, such numbers are rejected"
        currency="espees"
      />
      <PriceHistory prices={["SMS-UNIT-PRICE", "SMS-ABROAD-UNIT-PRICE"]} />
    </SettingPage>
  );
}
