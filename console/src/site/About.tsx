import { Link } from "react-router-dom";
import { ABOUT, SERVICE } from "./content/site";
import { PublicPage } from "./PublicPage";

export default function About() {
  return (
    <PublicPage
      title="About Talkdrum"
      lead="Bulk SMS and voice messages with a price that holds: quote, confirm, watch, and know who was not reached and why."
    >
      <section>
        <h2>{ABOUT.title}</h2>
        {ABOUT.paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <p>
          The name is that of West Africa's talking drum, which carried messages from village to village long
          before there were telephones: by its pitch, all who heard it understood what was said.
        </p>
      </section>
      <section>
        <h2>What we promise</h2>
        {ABOUT.promises.map((it) => (
          <p key={it.title}>
            <strong>{it.title}.</strong> {it.text}
          </p>
        ))}
      </section>
      <section>
        <h2>What it does</h2>
        <ul>
          {SERVICE.cards.map((it) => (
            <li key={it.title}>
              <strong>{it.title}.</strong> {it.text}
            </li>
          ))}
        </ul>
        <p>
          <Link to="/auth/register">Create an account</Link> to try it, or <Link to="/contact">ask us</Link>{" "}
          first.
        </p>
      </section>
    </PublicPage>
  );
}
