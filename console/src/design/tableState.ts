// A table's page, size, order, search and filters, kept in the address: reload, back and a shared link find the same.
import { useCallback, useMemo } from "react";
import { type Location, useLocation, useSearchParams } from "react-router-dom";
import { PAGE_SIZES } from "./pager";

/** The last change since a location was rendered. The next change starts from it: the router renders a moment after it
 * is told, and a quick user would otherwise undo the change just before. */
const asked = new WeakMap<Location, URLSearchParams>();

export interface TableState {
  page: number;
  perPage: number;
  sort: string | undefined;
  order: "asc" | "desc" | undefined;
  q: string;
  /** Anything else the page filters by. */
  filters: Record<string, string>;
  setPage: (page: number) => void;
  setPerPage: (perPage: number) => void;
  setSort: (sort: string, order: "asc" | "desc") => void;
  setQ: (q: string) => void;
  /** An empty text takes the filter away. */
  setFilter: (name: string, value: string) => void;
  /** Several at once, as one step. */
  setFilters: (values: Record<string, string>) => void;
  /** What the daemon's lists take. */
  query: { page: number; per_page: number; sort?: string; order?: string; q?: string };
}

/** `prefix` keeps two tables of one page apart; `filters` names the parameters that are this table's own. */
export function useTableState(options: { prefix?: string; filters?: readonly string[] } = {}): TableState {
  const { prefix = "", filters: names = [] } = options;
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const named = names.join(",");

  const change = useCallback(
    (changes: Record<string, string | null>, keepPage = false) => {
      const next = new URLSearchParams(asked.get(location) ?? location.search);
      if (!keepPage) next.delete(`${prefix}page`);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(prefix + name);
        else next.set(prefix + name, value);
      }
      asked.set(location, next);
      setParams(next, { replace: !("page" in changes) });
    },
    [prefix, location, setParams],
  );

  return useMemo(() => {
    const get = (name: string) => params.get(prefix + name) ?? "";
    const size = Number(get("per_page"));
    const perPage = PAGE_SIZES.find((it) => it === size) ?? PAGE_SIZES[0];
    const page = Math.max(1, Math.trunc(Number(get("page"))) || 1);
    const sort = get("sort") || undefined;
    const written = get("order");
    const order = written === "asc" || written === "desc" ? written : undefined;
    const q = get("q");
    const filters: Record<string, string> = {};
    for (const name of named ? named.split(",") : []) filters[name] = get(name);
    return {
      page,
      perPage,
      sort,
      order,
      q,
      filters,
      setPage: (to) => change({ page: to <= 1 ? null : String(to) }, true),
      setPerPage: (to) => change({ per_page: to === PAGE_SIZES[0] ? null : String(to) }),
      setSort: (by, to) => change({ sort: by, order: to }),
      setQ: (to) => change({ q: to }),
      setFilter: (name, value) => change({ [name]: value }),
      setFilters: (values) => change(values),
      query: {
        page,
        per_page: perPage,
        ...(sort ? { sort } : {}),
        ...(order ? { order } : {}),
        ...(q ? { q } : {}),
      },
    };
  }, [params, prefix, named, change]);
}
