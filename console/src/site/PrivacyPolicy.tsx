import { PRIVACY } from "./content/legal";
import { PublicPage, Sections } from "./PublicPage";

export default function PrivacyPolicy() {
  return (
    <PublicPage
      title="Privacy policy"
      lead="What is kept of you and of the people you write to, why, and for how long."
    >
      <Sections sections={PRIVACY} />
    </PublicPage>
  );
}
