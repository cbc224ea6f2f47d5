import { expect, test } from "vitest";
import { PHONE, pagerItems, pagesOf } from "./pager";

test("five links around the page, two at each margin", () => {
  expect(pagerItems(10, 20)).toEqual([1, 2, "gap", 8, 9, 10, 11, 12, "gap", 19, 20]);
  expect(pagerItems(1, 20)).toEqual([1, 2, 3, 4, 5, "gap", 19, 20]);
  expect(pagerItems(20, 20)).toEqual([1, 2, "gap", 16, 17, 18, 19, 20]);
});

test("a gap of one page is that page, and few pages are all shown", () => {
  expect(pagerItems(6, 20)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, "gap", 19, 20]);
  expect(pagerItems(2, 3)).toEqual([1, 2, 3]);
  expect(pagerItems(1, 1)).toEqual([1]);
});

test("an empty list has one page", () => {
  expect(pagesOf(0, 20)).toBe(1);
  expect(pagesOf(41, 20)).toBe(3);
});

test("on a phone the page and the ends are linked", () => {
  expect(pagerItems(10, 500, PHONE)).toEqual([1, "gap", 10, "gap", 500]);
  expect(pagerItems(1, 500, PHONE)).toEqual([1, "gap", 500]);
  expect(pagerItems(2, 3, PHONE)).toEqual([1, 2, 3]);
});
