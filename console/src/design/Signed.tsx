// What a transaction moved: with its sign, and in colour where the wallet gained it.
import Box from "@mui/material/Box";
import type { components } from "../api/schema";
import { currencyOf } from "./money";
import { WholeMoney } from "./values";

type Moved = Pick<components["schemas"]["Transaction"], "direction" | "status" | "price" | "currency">;

export function Signed({ of: { direction, status, price, currency } }: { of: Moved }) {
  const gained = direction === "credit";
  return (
    <Box
      component="span"
      sx={{
        fontWeight: 600,
        whiteSpace: "nowrap",
        color: gained && status === "successful" ? "success.main" : undefined,
      }}
    >
      {gained ? "+" : "-"}
      <WholeMoney value={price} currency={currencyOf(currency)} />
    </Box>
  );
}
