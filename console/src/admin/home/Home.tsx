// The index of the administration.
import { PageHeader } from "../../design/PageHeader";

export default function Home() {
  return <PageHeader title="Profile Summary" />;
}
