// Which bar of a chart is pointed at: by the pointer, by a finger, or by the arrow keys. A chart is one stop of the Tab key.
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";

interface Options {
  many: number;
  /** What a screen reader says of one. */
  said: (at: number) => string;
  label: string;
  /** By a place in the chart, in px from its left and its top. */
  at: (x: number, y: number, width: number) => number | null;
  orientation: "horizontal" | "vertical";
}

type Step = (at: number, last: number) => number;

const by =
  (many: number): Step =>
  (at) =>
    at + many;

const first: Step = () => 0;
const final: Step = (_, last) => last;

/** Where the keys go. Right, Up and End are more, as of any slider; the most of an upright one is its first row. */
const STEPS: Record<Options["orientation"], Record<string, Step>> = {
  horizontal: {
    ArrowRight: by(1),
    ArrowLeft: by(-1),
    ArrowUp: by(1),
    ArrowDown: by(-1),
    PageUp: by(10),
    PageDown: by(-10),
    Home: first,
    End: final,
  },
  vertical: {
    ArrowRight: by(-1),
    ArrowLeft: by(1),
    ArrowUp: by(-1),
    ArrowDown: by(1),
    PageUp: by(-10),
    PageDown: by(10),
    Home: final,
    End: first,
  },
};

export type Cursor = ReturnType<typeof useCursor>;

/** `props` go to the chart's element. */
export function useCursor({ many, said, label, at, orientation }: Options) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [here, setHere] = useState<number | null>(null);
  // Where the keys were last, as they go on from there.
  const [kept, setKept] = useState(0);
  const last = Math.max(0, many - 1);
  const go = (to: number) => {
    const next = Math.min(last, Math.max(0, to));
    setHere(next);
    setKept(next);
  };
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const to = at(event.clientX - left, event.clientY - top, width);
    setHere(to === null ? null : Math.min(last, Math.max(0, to)));
  };
  const keyed = Math.min(kept, last);
  // Nothing to move through.
  if (many === 0) return { frame, width, here: null, props: { role: "img", "aria-label": label } as const };
  return {
    frame,
    width,
    here: here === null ? null : Math.min(here, last),
    props: {
      role: "slider",
      "aria-roledescription": "chart",
      tabIndex: 0,
      "aria-label": label,
      "aria-orientation": orientation,
      "aria-valuemin": 1,
      "aria-valuemax": many,
      // An upright slider has the least at its lower end, and its rows are read from the top.
      "aria-valuenow": orientation === "vertical" ? many - keyed : keyed + 1,
      "aria-valuetext": said(keyed),
      onPointerMove: point,
      onPointerDown: point,
      onPointerLeave: (event: PointerEvent<HTMLElement>) => {
        // A finger that is lifted leaves the tip where it tapped.
        if (event.pointerType !== "touch") setHere(null);
      },
      // A finger that scrolls the page points at nothing.
      onPointerCancel: () => setHere(null),
      // A press alone is no reason for the tip of another bar.
      onFocus: (event: { currentTarget: HTMLElement }) => {
        if (event.currentTarget.matches(":focus-visible")) setHere(keyed);
      },
      onBlur: () => setHere(null),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === "Escape" && here !== null) {
          event.stopPropagation();
          return setHere(null);
        }
        const step = STEPS[orientation][event.key];
        if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        // The first key shows where it is.
        go(here === null && event.key.startsWith("Arrow") ? keyed : step(here ?? keyed, last));
      },
    } as const,
  };
}

/** The width of an element in px, as it changes. */
function useWidth(of: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [of]);
  return width;
}
