// Choosing rows of a list. A choice holds for the page that is seen: no row is changed that is not in view. Ours, as
// react-admin's boxes carry their labels where screen readers do not look.
import Close from "@mui/icons-material/Close";
import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import IconButton from "@mui/material/IconButton";
import Typography from "@mui/material/Typography";
import { type ReactNode, useEffect } from "react";
import { type RaRecord, useListContext } from "react-admin";

export function useSelectedRows<Row extends RaRecord>(): Row[] {
  const { data, selectedIds } = useListContext<Row>();
  return (data ?? []).filter((row) => selectedIds.includes(row.id));
}

export function SelectRow({ row }: { row: RaRecord }) {
  const { selectedIds, onToggleItem } = useListContext();
  return (
    <Checkbox
      size="small"
      checked={selectedIds.includes(row.id)}
      onChange={() => onToggleItem(row.id)}
      slotProps={{ input: { "aria-label": `Choose row ${row.id}` } }}
      sx={{ m: -1 }}
    />
  );
}

export function SelectAll() {
  const { data, onSelect } = useListContext();
  const chosen = useSelectedRows();
  const shown = data ?? [];
  const all = shown.length > 0 && chosen.length === shown.length;
  return (
    <Checkbox
      size="small"
      checked={all}
      indeterminate={chosen.length > 0 && !all}
      onChange={() => onSelect(all ? [] : shown.map((row) => row.id))}
      slotProps={{ input: { "aria-label": "Choose all rows of this page" } }}
      sx={{ m: -1 }}
    />
  );
}

/** What can be done with what is chosen. */
export function SelectionBar({ children }: { children: ReactNode }) {
  const { data, selectedIds, onSelect, onUnselectItems } = useListContext();
  const chosen = useSelectedRows();
  // What is not seen any more is not chosen any more.
  const stray = data !== undefined && chosen.length < selectedIds.length;
  useEffect(() => {
    if (stray) onSelect(chosen.map((row) => row.id));
  });
  return (
    <Box
      role="toolbar"
      aria-label="With the chosen rows"
      hidden={chosen.length === 0}
      sx={{
        display: chosen.length === 0 ? "none" : "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1,
        px: 2,
        py: 0.75,
        bgcolor: "primary.light",
        "& .MuiButton-root": { px: { xs: 1, sm: 2.25 } },
      }}
    >
      <IconButton size="small" aria-label="Choose none" onClick={() => onUnselectItems()}>
        <Close fontSize="small" />
      </IconButton>
      <Typography aria-live="polite" sx={{ fontWeight: 600, mr: 1 }}>
        {chosen.length} chosen
      </Typography>
      {children}
    </Box>
  );
}
