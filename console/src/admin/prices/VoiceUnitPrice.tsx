import { SettingPage } from "../form/SettingPage";
import { PriceHistory } from "./PriceHistory";
import { PriceSetting } from "./PriceSetting";

const PULSE = "one pulse of a call";

export default function VoiceUnitPrice() {
  return (
    <SettingPage
      title="Voice Unit Price"
      text="What calls cost in ESPEES, by the number they come from. While no voice price is set, the price of a page serves."
    >
      <PriceSetting price="VOICE-UNIT-PRICE" title="Plain" unit={PULSE} currency="espees" />
      <PriceSetting
        price="VIRTUAL-UNIT-PRICE"
        title="Virtual number"
        unit={`${PULSE} from a virtual number`}
        currency="espees"
      />
      <PriceSetting
        price="OWN-UNIT-PRICE"
        title="Own number"
        unit={`${PULSE} from the customer's own number`}
        currency="espees"
      />
      <PriceHistory prices={["VOICE-UNIT-PRICE", "VIRTUAL-UNIT-PRICE", "OWN-UNIT-PRICE"]} />
    </SettingPage>
  );
}
