import SearchOffOutlined from "@mui/icons-material/SearchOffOutlined";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState } from "../../design/states";

export default function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        title="There is no such page"
        text="Choose one from the menu, or go back to the start of your dashboard."
        action={{ label: "To the dashboard", to: "/dashboard" }}
        icon={<SearchOffOutlined sx={{ fontSize: 40 }} />}
      />
    </>
  );
}
