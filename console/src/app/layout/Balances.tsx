import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { balancesQuery } from "../../api/queries";
import { Money } from "../../design/values";

/** Both balances, in the top bar. */
export function Balances() {
  const { data, isError } = useQuery(balancesQuery());
  return (
    <Box
      component="dl"
      aria-label="Balances"
      sx={{
        display: "flex",
        gap: { xs: 2, sm: 3 },
        m: 0,
        flexBasis: { xs: "100%", sm: "auto" },
        px: { xs: 1, sm: 0 },
        pb: { xs: 0.5, sm: 0 },
      }}
    >
      <Entry label="ESPEES balance">
        {data ? <Money value={data["espees-balance"]} currency="espees" /> : <Waiting failed={isError} />}
      </Entry>
      <Entry label="Naira balance">
        {data ? <Money value={data.paystack_balance} currency="naira" /> : <Waiting failed={isError} />}
      </Entry>
    </Box>
  );
}

function Entry({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Box sx={{ minHeight: 40 }}>
      <Typography component="dt" sx={{ fontSize: "0.75rem", color: "text.secondary", lineHeight: 1.5 }}>
        {label}
      </Typography>
      <Typography component="dd" sx={{ m: 0, fontSize: "0.9375rem", fontWeight: 650, lineHeight: 1.3 }}>
        {children}
      </Typography>
    </Box>
  );
}

function Waiting({ failed }: { failed: boolean }) {
  return failed ? <span>not known</span> : <Skeleton width={84} />;
}
