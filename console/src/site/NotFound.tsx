import { Link } from "react-router-dom";
import { PublicPage } from "./PublicPage";

export default function NotFound() {
  return (
    <PublicPage
      title="Page not found"
      lead="There is nothing at this address. It may have moved, or been mistyped."
    >
      <p style={{ marginTop: 24 }}>
        <Link to="/">Go to the home page</Link>
      </p>
    </PublicPage>
  );
}
