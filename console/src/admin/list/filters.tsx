// The filters of a list, each changed by itself. react-admin's `setFilters` replaces them all with those that were
// rendered with its caller: the form submits half a second after the last key, and the address is rendered a moment
// after it is set, so a click on a tab in between would undo one change or be undone.
import { createContext, type ReactElement, type ReactNode, useContext, useLayoutEffect, useRef } from "react";
import { FilterContext, FilterForm, ListContextProvider, useListContext } from "react-admin";

type Filters = Record<string, unknown>;
type Change = (some: Filters, displayed?: Record<string, boolean>) => void;

const ChangeContext = createContext<Change | undefined>(undefined);

/** Around a list, inside react-admin's. */
export function FilterChanges({ children }: { children: ReactNode }) {
  const { filterValues, setFilters } = useListContext();
  // What was last asked for since filters were drawn.
  const asked = useRef<Filters | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn again ends what was asked for
  useLayoutEffect(() => {
    asked.current = null;
  }, [filterValues]);
  const change: Change = (some, displayed) => {
    asked.current = { ...(asked.current ?? filterValues), ...some };
    setFilters(asked.current, displayed);
  };
  return <ChangeContext.Provider value={change}>{children}</ChangeContext.Provider>;
}

/** Changes some filters of the list around; the others stay as they were last asked for. An empty text takes one away. */
export function useChangeFilters(): Change {
  const change = useContext(ChangeContext);
  if (!change) throw new Error("useChangeFilters needs a ResourceList around it");
  return change;
}

/** react-admin's form, which knows and changes its own fields only. */
export function OwnFilterForm({ filters }: { filters: ReactElement<{ source: string }>[] }) {
  const list = useListContext();
  const setFilters = useChangeFilters();
  const own = new Set(filters.map((filter) => filter.props.source));
  const values = Object.entries(list.filterValues ?? {});
  const filterValues = Object.fromEntries(values.filter(([name]) => own.has(name)));
  return (
    <ListContextProvider value={{ ...list, filterValues, setFilters } as typeof list}>
      {/* Those of this form, where a list has several. */}
      <FilterContext.Provider value={filters}>
        <FilterForm />
      </FilterContext.Provider>
    </ListContextProvider>
  );
}
