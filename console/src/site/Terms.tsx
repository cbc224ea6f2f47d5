import { TERMS } from "./content/legal";
import { PublicPage, Sections } from "./PublicPage";

export default function Terms() {
  return (
    <PublicPage
      title="Terms"
      lead="What you can expect of the service, what it costs, and what it may not be used for."
    >
      <Sections sections={TERMS} />
    </PublicPage>
  );
}
