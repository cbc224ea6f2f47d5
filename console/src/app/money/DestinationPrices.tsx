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
import { Fragment, useId } from "react";
import { ratesQuery, type SmsPrices } from "../../api/queries";
import { type Costs, type Destination, destinationsOf } from "../../design/destinations";
import { amountOf, type Currency } from "../../design/money";
import { PURPOSES } from "../../design/purpose";
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
  const elsewhere: Destination = { name: destinationName({}), ...abroad, others: [] };
  const all = [
    ...destinationsOf(rates, costsOf(pagePrices(prices)), abroad),
    ...(abroad.espees !== null || abroad.naira !== null ? [elsewhere] : []),
  ];
  const hasOthers = all.some((it) => it.others.length > 0);
  return (
    <Card sx={{ p: { xs: 2, sm: 3 }, mb: 2.5 }}>
      <Typography id={id} variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        Price of a page by destination
      </Typography>
      {hasOthers && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
          {PURPOSES.transactional.name} come first, and below them what costs something else there.
        </Typography>
      )}
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
              <Fragment key={it.name}>
                <TableRow sx={it.others.length > 0 ? OPEN : null}>
                  <TableCell>{it.name}</TableCell>
                  <Amounts of={it} />
                </TableRow>
                {it.others.map((other, at) => (
                  <TableRow
                    key={other.purpose}
                    sx={[{ color: "text.secondary" }, at < it.others.length - 1 && OPEN]}
                  >
                    <TableCell aria-label={`${it.name}: ${PURPOSES[other.purpose].name}`}>
                      <Box component="span" sx={{ pl: 2 }}>
                        {PURPOSES[other.purpose].name}
                      </Box>
                    </TableCell>
                    <Amounts of={other} />
                  </TableRow>
                ))}
              </Fragment>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Card>
  );
}

/** A row that those below it belong to. */
const OPEN = { "& td": { borderBottom: 0 } } as const;

function Amounts({ of }: { of: Costs }) {
  return CURRENCIES.map((currency) => (
    <TableCell key={currency} align="right">
      {of[currency] === null ? <None /> : <UnitPrice value={amountOf(of[currency])} currency={currency} />}
    </TableCell>
  ));
}
