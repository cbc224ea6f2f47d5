// Which links a pager shows: five around the current page, two at each margin, and gaps between.
export const PAGE_SIZES = [20, 40, 60] as const;
export const PAGE_LINKS = 5;
export const MARGIN_PAGES = 2;

export type PagerItem = number | "gap";

export function pagesOf(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

export function pagerItems(page: number, pages: number): PagerItem[] {
  const half = Math.floor(PAGE_LINKS / 2);
  const first = Math.max(1, Math.min(page - half, pages - PAGE_LINKS + 1));
  const shown = new Set<number>();
  for (let it = 1; it <= Math.min(MARGIN_PAGES, pages); it++) shown.add(it);
  for (let it = first; it < first + PAGE_LINKS && it <= pages; it++) shown.add(it);
  for (let it = Math.max(1, pages - MARGIN_PAGES + 1); it <= pages; it++) shown.add(it);
  const items: PagerItem[] = [];
  let last = 0;
  for (const it of [...shown].sort((a, b) => a - b)) {
    // A gap of one page is that page.
    if (it - last === 2) items.push(it - 1);
    else if (it - last > 2) items.push("gap");
    items.push(it);
    last = it;
  }
  return items;
}
