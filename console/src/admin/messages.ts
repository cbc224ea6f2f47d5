// react-admin's words, and ours where the specification has its own or react-admin would speak of "elements".
import polyglotI18nProvider from "ra-i18n-polyglot";
import englishMessages from "ra-language-english";
import { mergeTranslations } from "react-admin";

const ours = {
  resources: {
    announcement: {
      notifications: {
        created: "Announcement created successfully",
        updated: "Announcement updated successfully",
      },
    },
  },
};

const messages = mergeTranslations(englishMessages, ours);

export const i18nProvider = polyglotI18nProvider(() => messages, "en", [{ locale: "en", name: "English" }], {
  allowMissing: true,
});
