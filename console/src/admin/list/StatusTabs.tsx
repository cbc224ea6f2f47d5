// Lists of users come by status: active ones and inactive ones.
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useListContext } from "react-admin";
import { useChangeFilters } from "./filters";

export function StatusTabs() {
  const { filterValues } = useListContext();
  const change = useChangeFilters();
  const status = filterValues?.status === "inactive" ? "inactive" : "active";
  return (
    <Tabs
      value={status}
      onChange={(_event, to: string) => change({ status: to })}
      aria-label="Users by status"
      sx={{ mb: 1 }}
    >
      <Tab value="active" label="Active" />
      <Tab value="inactive" label="Inactive" />
    </Tabs>
  );
}
