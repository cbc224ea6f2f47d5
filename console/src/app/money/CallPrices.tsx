// What a pulse of a call costs, by the number that calls come from. Nothing while no price is known.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useQueries } from "@tanstack/react-query";
import { type CallerKind, pricesInWords, pulsePricesQuery } from "../../design/unitPrice";

const CALLERS: readonly { kind: CallerKind; name: string }[] = [
  { kind: "plain", name: "From the platform's number" },
  { kind: "virtual_number", name: "From a virtual number" },
  { kind: "own_number", name: "From your own number" },
];

export function CallPrices() {
  const asked = useQueries({ queries: CALLERS.map(({ kind }) => pulsePricesQuery(kind)) });
  const lines = CALLERS.flatMap(({ name }, at) => {
    const words = pricesInWords(asked[at]?.data);
    return words ? [{ name, words }] : [];
  });
  if (lines.length === 0) return null;
  return (
    <Card component="section" aria-label="Price of a pulse" sx={{ p: { xs: 2, sm: 3 }, mb: 2.5 }}>
      <Typography variant="body2" color="textSecondary">
        One pulse of a call, from the balance you choose. Calls that are not answered cost nothing
      </Typography>
      <Box
        component="dl"
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "1fr", sm: "auto 1fr" },
          columnGap: 3,
          rowGap: { xs: 0, sm: 0.5 },
          m: 0,
          mt: 1,
        }}
      >
        {lines.map(({ name, words }) => (
          <Box key={name} sx={{ display: "contents" }}>
            <Typography component="dt">{name}</Typography>
            <Typography component="dd" sx={{ m: 0, mb: { xs: 1, sm: 0 }, fontWeight: 650 }}>
              {words}
            </Typography>
          </Box>
        ))}
      </Box>
    </Card>
  );
}
