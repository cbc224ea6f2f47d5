// What a page costs by where it goes, where that differs.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { ratesQuery, type SmsPrices } from "../../api/queries";
import { type Costs, destinationsOf } from "../../design/destinations";
import { amountOf, type Currency } from "../../design/money";
import { destinationName } from "../../design/rate";
import { pagePrices, pagePricesAbroad, type UnitPrices } from "../../design/unitPrice";
import { None, UnitPrice } from "../../design/values";

const CURRENCIES: readonly Currency[] = ["espees", "naira"];

const costsOf = ({ espees, paystack }: UnitPrices): Costs => ({ espees, naira: paystack });

export function DestinationPrices({ prices }: { prices: SmsPrices }) {
  const id = useId();
  const { data: rates = [] } = useQuery(ratesQuery());
  if (rates.length === 0) return null;
  const abroad = costsOf(pagePricesAbroad(prices));
  const all = [
    ...destinationsOf(rates, costsOf(pagePrices(prices)), abroad),
    { name: destinationName({}), ...abroad },
  ].filter((it) => it.espees !== null || it.naira !== null);
  return (
    <Card sx={{ p: { xs: 2, sm: 3 }, mb: 2.5 }}>
      <Typography id={id} variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        Price of a page by destination
      </Typography>
      {/* A region that scrolls can be reached and scrolled by keyboard. */}
      <Box sx={{ maxHeight: 420, overflow: "auto" }} tabIndex={0} role="region" aria-labelledby={id}>
        <Table size="small" aria-labelledby={id} sx={{ "& th, & td": { px: { xs: 0.75, sm: 2 } } }}>
          <TableHead>
            <TableRow>
              <TableCell>To</TableCell>
              <TableCell align="right">ESPEES</TableCell>
              <TableCell align="right">Naira</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {all.map((it) => (
              <TableRow key={it.name}>
                <TableCell>{it.name}</TableCell>
                {CURRENCIES.map((currency) => (
                  <TableCell key={currency} align="right">
                    {it[currency] === null ? (
                      <None />
                    ) : (
                      <UnitPrice value={amountOf(it[currency])} currency={currency} />
                    )}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Card>
  );
}
