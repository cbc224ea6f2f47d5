// The first page. Its sections have the ids that the header links to.
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useTitle } from "../design/title";
import { Carousel } from "./Carousel";
import { ContactEntries } from "./ContactEntries";
import { FAQ } from "./content/faq";
import { ABOUT, HERO, SERVICE, STATS } from "./content/site";
import { TESTIMONIALS } from "./content/testimonials";
import { HeroPicture } from "./HeroPicture";
import { Icon } from "./Icon";
import styles from "./Landing.module.css";
import { Prices } from "./Prices";

export default function Landing() {
  useTitle("");
  return (
    <>
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1>{HERO.title}</h1>
          <p>{HERO.text}</p>
          <div className={styles.actions}>
            <Link className={styles.main} to="/auth/register">
              Create an account
            </Link>
            <Link className={styles.more} to="/#about-us">
              Learn More <Icon name="arrow" size={18} />
            </Link>
          </div>
        </div>
        <HeroPicture />
      </section>

      <section id="about-us" className={styles.about}>
        <div>
          <h2>{ABOUT.title}</h2>
          {ABOUT.paragraphs.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
        <ul>
          {ABOUT.promises.map((it) => (
            <li key={it.title}>
              <Icon name="check" />
              <div>
                <h3>{it.title}</h3>
                <p>{it.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>

      <section id="stats" className={styles.stats} aria-label="In figures">
        <dl>
          {STATS.map((it) => (
            <div key={it.label}>
              <dt>{it.label}</dt>
              <dd>
                {it.figure.toLocaleString("en")}
                {it.suffix}
              </dd>
            </div>
          ))}
        </dl>
      </section>

      <Part id="service" title={SERVICE.title} text={SERVICE.text}>
        <ul className={styles.cards}>
          {SERVICE.cards.map((card) => (
            <li key={card.title}>
              <Icon name={card.icon} size={26} />
              <h3>{card.title}</h3>
              <p>{card.text}</p>
            </li>
          ))}
        </ul>
      </Part>

      <Prices />

      <div className={styles.sunken}>
        <Part id="faq" title="Questions people ask">
          <div className={styles.faq}>
            {FAQ.map((it) => (
              <details key={it.question} name="faq">
                <summary>
                  {it.question}
                  <Icon name="plus" size={20} />
                </summary>
                <p>{it.answer}</p>
              </details>
            ))}
          </div>
        </Part>
      </div>

      <Part id="testimonials" title="What customers say">
        <Carousel slides={TESTIMONIALS} />
      </Part>

      <div className={styles.sunken}>
        <Part id="contact" title="Talk to us" text="Before your first send, or about one that is on its way.">
          <ContactEntries />
        </Part>
      </div>
    </>
  );
}

function Part(props: { id: string; title: string; text?: string; children: ReactNode }) {
  return (
    <section id={props.id} className={styles.part} aria-labelledby={`${props.id}-title`}>
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      {props.text && <p className={styles.lead}>{props.text}</p>}
      {props.children}
    </section>
  );
}
