import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { show } from "../testing/render";
import { Carousel } from "./Carousel";
import { TESTIMONIALS } from "./content/testimonials";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const current = () => TESTIMONIALS.findIndex((it) => here(it.name));
const here = (name: string) => screen.getByText(name).closest("figure")?.dataset.place === "here";
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test("five testimonials, each with name, title, stars and text", () => {
  show(<Carousel slides={TESTIMONIALS} />);
  expect(TESTIMONIALS).toHaveLength(5);
  for (const it of TESTIMONIALS) {
    expect(screen.getByText(it.name)).toBeInTheDocument();
    expect(screen.getByText(it.title)).toBeInTheDocument();
    expect([4, 5]).toContain(it.rating);
  }
});

test("the next one comes every two seconds, without end", () => {
  show(<Carousel slides={TESTIMONIALS} />);
  expect(current()).toBe(0);
  wait(1999);
  expect(current()).toBe(0);
  wait(1);
  expect(current()).toBe(1);
  wait(4 * 2000);
  expect(current()).toBe(0);
});

test("it stands still while the pointer or the focus is on it, and when it is paused", () => {
  const { container } = show(<Carousel slides={TESTIMONIALS} />);
  const all = container.querySelector("[class*=carousel]") as HTMLElement;
  fireEvent.pointerEnter(all);
  wait(6000);
  expect(current()).toBe(0);
  fireEvent.pointerLeave(all);
  wait(2000);
  expect(current()).toBe(1);
  const dot = screen.getByRole("button", { name: "Testimonial 4 of 5" });
  fireEvent.focus(dot);
  fireEvent.click(dot);
  expect(current()).toBe(3);
  wait(6000);
  expect(current()).toBe(3);
  fireEvent.blur(dot);
  fireEvent.click(screen.getByRole("button", { name: "Pause the testimonials" }));
  wait(6000);
  expect(current()).toBe(3);
});

test("a visitor who wants less motion gets none until they ask", () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({ matches: query.includes("reduce"), addEventListener() {}, removeEventListener() {} }) as never,
  );
  show(<Carousel slides={TESTIMONIALS} />);
  wait(6000);
  expect(current()).toBe(0);
  expect(screen.getByRole("button", { name: "Let the testimonials run" })).toBeInTheDocument();
});
