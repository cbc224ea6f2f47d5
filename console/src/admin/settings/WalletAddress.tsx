import { TextInput } from "react-admin";
import { Setting, SettingPage } from "../form/SettingPage";
import { required } from "../form/validate";

export default function WalletAddress() {
  return (
    <SettingPage title="Wallet Address" text="Where customers' ESPEES payments go.">
      <Setting
        resource="set-wallet-address"
        save="Save wallet address"
        failedToGet="Failed to Wallet Address."
        failedToSet="Failed to Wallet Address."
      >
        <TextInput
          source="wallet_address"
          label="Wallet address"
          fullWidth
          validate={required("Wallet address is required")}
          helperText="One word, as your ESPEES wallet shows it."
        />
      </Setting>
    </SettingPage>
  );
}
