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
    <Button key={way.name} component={Link} to={way.to} variant="outlined">
      {way.label}
    </Button>
  ));
}
