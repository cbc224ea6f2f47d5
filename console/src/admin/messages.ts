// react-admin's words, and ours where the specification has its own or react-admin would speak of "elements".
import englishMessages from "ra-language-english";
import { mergeTranslations } from "react-admin";
import { speak } from "./translate";

const updated = (text: string) => ({ notifications: { updated: text } });

const ours = {
  ra: { message: { invalid_form: "Something is missing or wrong: see the marked fields" } },
  resources: {
    announcement: {
      notifications: {
        created: "Announcement created successfully",
        updated: "Announcement updated successfully",
      },
    },
    "set-wallet-address": updated("Wallet Address updated successfully!"),
    "set-contact-address": updated("Contact Address updated successfully!"),
    "set-contact-email": updated("Contact Email updated successfully!"),
    "set-contact-phone": updated("Contact Phone updated successfully!"),
    "set-admin-number": updated("Admin Number updated successfully!"),
    "set-pricing": updated("Pricing write up updated successfully!"),
    "set-sms-api-key": updated("API key updated successfully!"),
    "set-espee-api-key": updated("API key updated successfully!"),
    "set-paystack-keys": updated("Paystack keys updated successfully!"),
    "SMS-UNIT-PRICE": updated("Unit Price updated successfully!"),
    "SMS-UNIT-PRICE-IN-NAIRA": updated("Unit Price updated successfully!"),
    "SMS-ABROAD-UNIT-PRICE": updated("Unit Price updated successfully!"),
    "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": updated("Unit Price updated successfully!"),
    "VOICE-UNIT-PRICE": updated("Unit Price updated successfully!"),
    "VOICE-UNIT-PRICE-NAIRA": updated("Unit Price updated successfully!"),
    "VIRTUAL-UNIT-PRICE": updated("Virtual Unit Price updated successfully!"),
    "OWN-UNIT-PRICE": updated("Own Number Unit Price updated successfully!"),
  },
};

export const i18nProvider = speak(mergeTranslations(englishMessages, ours));
