// Which links a pager shows: five around the current page, two at each margin, and gaps between.
export const PAGE_SIZES = [20, 40, 60] as const;
export const PAGE_LINKS = 5;
export const MARGIN_PAGES = 2;

export type PagerItem = number | "gap";

export function pagesOf(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/** On a phone there is room for the page and the ends. */
export const PHONE = { links: 1, margins: 1 };

export function pagerItems(
  page: number,
  pages: number,
  { links, margins } = { links: PAGE_LINKS, margins: MARGIN_PAGES },
): PagerItem[] {
  const half = Math.floor(links / 2);
  const first = Math.max(1, Math.min(page - half, pages - links + 1));
  const shown = new Set<number>();
  for (let it = 1; it <= Math.min(margins, pages); it++) shown.add(it);
  for (let it = first; it < first + links && it <= pages; it++) shown.add(it);
  for (let it = Math.max(1, pages - margins + 1); it <= pages; it++) shown.add(it);
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
