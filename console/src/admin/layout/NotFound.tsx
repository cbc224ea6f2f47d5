import SearchOffOutlined from "@mui/icons-material/SearchOffOutlined";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState } from "../../design/states";

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        title="There is no such page"
        text="Choose one from the menu, or go back to the start of the administration."
        action={{ label: "To the administration", to: "/dashboard/admin" }}
        icon={<SearchOffOutlined sx={{ fontSize: 40 }} />}
      />
    </>
  );
}
