// Every list of the administration: heading, search and filters (which can be saved), rows, pager, export. Where there is
// nothing it says what to do, and what could not be had can be tried again.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import { FilterButton, FilterContext, ListBase, type SortPayload, useListContext } from "react-admin";
import { FilterSheet, usePhone } from "../../design/FilterSheet";
import { PageHeader } from "../../design/PageHeader";
import { Pager } from "../../design/Pager";
import { PAGE_SIZES } from "../../design/pager";
import { EmptyState, ErrorState } from "../../design/states";
import { useFailure } from "../../design/toasts";
import { ExportButton } from "./ExportButton";
import { FilterChanges, OwnFilterForm } from "./filters";

/** As the daemon orders by itself: newest first. */
const NATURAL: SortPayload = { field: "", order: "DESC" };

interface Props {
  title: string;
  /** One list of several on a page: its heading is of the second order, and its page is not in the address. */
  section?: boolean;
  text?: ReactNode;
  /** What a failure to read it is called, where the specification has words for it. */
  failure?: string;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /** Above the table, such as tabs. */
  above?: ReactNode;
  /** react-admin's inputs, `alwaysOn` or to be added; named as in the API. */
  filters?: ReactElement<{ source: string }>[];
  /** The filter that tabs set: it alone does not make a list a filtered one. */
  tabbed?: string;
  /** Filters that are always there and not shown. */
  filter?: Record<string, unknown>;
  filterDefaultValues?: Record<string, unknown>;
  sort?: SortPayload;
  /** Shown where there is nothing at all. */
  empty: ReactNode;
  /** The table of the resource, unless it is that of the address. */
  resource?: string;
  /** Keeps two lists of one resource apart. `false`: nothing is remembered. */
  storeKey?: string | false;
  /** Loads again by itself, for lists that move. */
  refetchInterval?: number;
  /** A `ResourceTable`. */
  children: ReactNode;
}

export function ResourceList(props: Props) {
  const { filters = [], refetchInterval } = props;
  return (
    <ListBase
      resource={props.resource}
      perPage={PAGE_SIZES[0]}
      sort={props.sort ?? NATURAL}
      filter={props.filter}
      filterDefaultValues={props.filterDefaultValues}
      storeKey={props.storeKey}
      queryOptions={refetchInterval ? { refetchInterval } : undefined}
      exporter={false}
      disableSyncWithLocation={props.section}
    >
      <FilterChanges>
        {props.section ? (
          <Stack sx={{ flexDirection: "row", alignItems: "center", gap: 2, mt: 4, mb: 2 }}>
            <Typography variant="h2" sx={{ flex: 1 }}>
              {props.title}
            </Typography>
            <ExportButton />
          </Stack>
        ) : (
          <PageHeader
            title={props.title}
            text={props.text}
            actions={
              <>
                {props.actions}
                <ExportButton />
              </>
            }
          />
        )}
        {props.above}
        <Card>
          {filters.length > 0 && (
            <FilterContext.Provider value={filters}>
              <Box
                sx={{
                  display: "flex",
                  flexWrap: "wrap",
                  alignItems: "center",
                  gap: 1,
                  px: 2,
                  py: 1.5,
                  borderBottom: 1,
                  borderColor: "divider",
                  "& .RaFilterForm-root, & form": { flex: "1 1 auto", p: 0, minHeight: 0 },
                  "& form .MuiFormControl-root": { my: 0.5 },
                }}
              >
                <Filters all={filters} />
              </Box>
            </FilterContext.Provider>
          )}
          <Rows label={props.title} empty={props.empty} tabbed={props.tabbed} failure={props.failure}>
            {props.children}
          </Rows>
        </Card>
      </FilterChanges>
    </ListBase>
  );
}

/** The search beside the other filters; on a phone those are in a sheet. */
function Filters({ all }: { all: ReactElement<{ source: string }>[] }) {
  const phone = usePhone();
  const { filterValues } = useListContext();
  if (!phone) {
    return (
      <>
        <OwnFilterForm filters={all} />
        <FilterButton filters={all} />
      </>
    );
  }
  const search = all.filter((it) => it.props.source === "q");
  const rest = all.filter((it) => it.props.source !== "q").map((it) => cloneElement(it, ALWAYS));
  const active = rest.filter((it) => filterValues?.[it.props.source] !== undefined).length;
  return (
    <>
      {search.length > 0 && <OwnFilterForm filters={search} />}
      {rest.length > 0 && (
        <FilterSheet active={active}>
          <OwnFilterForm filters={rest} />
        </FilterSheet>
      )}
    </>
  );
}

/** What react-admin reads of a filter that needs not be added first. */
const ALWAYS = { alwaysOn: true } as object;

interface RowsProps {
  label: string;
  empty: ReactNode;
  tabbed?: string;
  failure?: string;
  children: ReactNode;
}

function Rows({ label, empty, tabbed, failure, children }: RowsProps) {
  const {
    total,
    error,
    isPending,
    isFetching,
    filterValues,
    setFilters,
    refetch,
    page,
    perPage,
    setPage,
    setPerPage,
  } = useListContext();
  useFailure(error, failure);
  if (error && total === undefined) {
    return <ErrorState title={failure} error={error} onRetry={() => void refetch()} />;
  }
  if (total === 0 && page === 1) {
    const { [tabbed ?? ""]: tab, ...others } = filterValues ?? {};
    const filtered = Object.keys(others).length > 0;
    if (!filtered) return empty;
    return (
      <EmptyState
        title="Nothing fits"
        text="No row has all that was asked for. Take a filter away, or search for less."
        action={{
          label: "Show all",
          onClick: () => setFilters(tab === undefined ? {} : { [tabbed ?? ""]: tab }, {}),
        }}
      />
    );
  }
  return (
    <>
      {/* Laid over what is below, which neither moves nor keeps a gap for it. */}
      <Box sx={{ position: "relative", zIndex: 1, height: 0 }}>
        {isFetching && !isPending && (
          <LinearProgress
            sx={{ position: "absolute", inset: "0 0 auto", height: 3 }}
            aria-label={`${label}: refreshing`}
          />
        )}
      </Box>
      {children}
      {total !== undefined && (
        <Pager
          label={label}
          page={page}
          perPage={perPage}
          total={total}
          onPage={setPage}
          onPerPage={setPerPage}
        />
      )}
    </>
  );
}
