// From one report to the others that the menu does not hold.
import Button from "@mui/material/Button";
import { Link } from "react-router-dom";

const REPORTS = [
  { name: "failed", to: "/dashboard/failed-messages", label: "Failed messages" },
  { name: "find", to: "/dashboard/messages", label: "Find a number" },
  { name: "replies", to: "/dashboard/inbound-messages", label: "Replies" },
] as const;

export function ReportLinks({ but }: { but?: (typeof REPORTS)[number]["name"] }) {
  return REPORTS.filter((way) => way.name !== but).map((way) => (
    <Button
      key={way.name}
      component={Link}
      to={way.to}
      variant="outlined"
      // Three in a row on a phone, too.
      sx={{ px: { xs: 1, sm: 2.25 }, fontSize: { xs: "0.8125rem", sm: "0.875rem" } }}
    >
      {way.label}
    </Button>
  ));
}
