// Testimonials, one at a time: every 2000 ms the next, in 500 ms, without end. It stands still while the pointer or the
// focus is on it, when it is paused, and where less motion is preferred. Our own, as the specification gives the
// transition as a time while common carousels move by physics; it is a tenth of their size.
import { useEffect, useState } from "react";
import styles from "./Carousel.module.css";
import type { Testimonial } from "./content/testimonials";
import { Icon, Star } from "./Icon";

const INTERVAL_MS = 2000;
const STARS = [1, 2, 3, 4, 5];

function wantsStillness(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function Carousel({ slides }: { slides: readonly Testimonial[] }) {
  // `before` is the slide that leaves; all others wait on the right.
  const [{ at, before }, setPlace] = useState({ at: 0, before: -1 });
  const [paused, setPaused] = useState(wantsStillness);
  const [held, setHeld] = useState(false);
  const running = !paused && !held;

  useEffect(() => {
    if (!running) return;
    const clock = window.setInterval(
      () => setPlace((old) => ({ at: (old.at + 1) % slides.length, before: old.at })),
      INTERVAL_MS,
    );
    return () => window.clearInterval(clock);
  }, [running, slides.length]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold it, there is nothing to press
    <div
      className={styles.carousel}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <section
        className={styles.window}
        aria-roledescription="carousel"
        aria-label="Testimonials"
        aria-live={running ? "off" : "polite"}
      >
        {slides.map((slide, place) => (
          <figure
            key={slide.name}
            className={styles.slide}
            data-place={place === at ? "here" : place === before ? "left" : "waiting"}
            aria-hidden={place !== at}
          >
            <img src={slide.photo} alt="" width="72" height="72" loading="lazy" />
            <blockquote>{slide.text}</blockquote>
            <span className={styles.stars} role="img" aria-label={`${slide.rating} of 5 stars`}>
              {STARS.map((star) => (
                <Star key={star} full={star <= slide.rating} />
              ))}
            </span>
            <figcaption>
              <strong>{slide.name}</strong>
              <span>{slide.title}</span>
            </figcaption>
          </figure>
        ))}
      </section>
      <div className={styles.controls}>
        <button
          type="button"
          className={styles.pause}
          aria-label={paused ? "Let the testimonials run" : "Pause the testimonials"}
          onClick={() => setPaused(!paused)}
        >
          <Icon name={paused ? "play" : "pause"} size={18} />
        </button>
        {slides.map((slide, place) => (
          <button
            key={slide.name}
            type="button"
            className={styles.dot}
            aria-label={`Testimonial ${place + 1} of ${slides.length}`}
            aria-current={place === at ? "true" : undefined}
            onClick={() => setPlace((old) => (old.at === place ? old : { at: place, before: old.at }))}
          />
        ))}
      </div>
    </div>
  );
}
