import { ContactEntries } from "./ContactEntries";
import { PublicPage } from "./PublicPage";

export default function Contact() {
  return (
    <PublicPage
      title="Contact"
      lead="Ask before you send, or when something went wrong. Name the campaign, if there is one."
    >
      <h2>How to reach us</h2>
      <ContactEntries />
    </PublicPage>
  );
}
