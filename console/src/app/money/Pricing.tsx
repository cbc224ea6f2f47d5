// What the administrator writes about prices, and the prices of a page and of a pulse as they are now.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ask } from "../../api/client";
import { smsPricesQuery } from "../../api/queries";
import type { Currency } from "../../design/money";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { useFailure } from "../../design/toasts";
import { UnitPrice } from "../../design/values";
import { pure, WriteUp } from "../../design/WriteUp";
import { CallPrices } from "./CallPrices";
import { DestinationPrices } from "./DestinationPrices";

/** The specification's texts. */
const WRITE_UP_FAILED = "Failed to get About Us.";
const PRICES_FAILED = "Failed to get Unit Price.";

export default function Pricing() {
  const text = useQuery({
    queryKey: ["open", "pricing"],
    queryFn: async () => (await ask(api.GET("/api/get-about-us")))["About-Us"][0]?.value ?? "",
  });
  const asked = useQuery(smsPricesQuery());
  const prices = asked.data;
  useFailure(text.error, WRITE_UP_FAILED);
  useFailure(asked.error, PRICES_FAILED);
  const espees = prices?.["SMS-UNIT-PRICE"][0]?.value;
  const naira = prices?.["SMS-UNIT-PRICE-IN-NAIRA"]?.[0]?.value;
  const html = useMemo(() => pure(text.data ?? ""), [text.data]);

  return (
    <>
      <PageHeader
        title="Pricing"
        text="The exact price of a campaign is shown before you confirm it, and it is the price you pay. For calls it is the most you pay."
      />
      {(espees !== undefined || naira !== undefined) && (
        <Card component="section" aria-label="Price of a page" sx={{ p: { xs: 2, sm: 3 }, mb: 2.5 }}>
          <Typography variant="body2" color="textSecondary">
            One page of a text message, from the balance you choose
          </Typography>
          <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 5, rowGap: 0.5, mt: 0.5 }}>
            {espees !== undefined && <Price value={espees} currency="espees" />}
            {naira !== undefined && <Price value={naira} currency="naira" />}
          </Box>
        </Card>
      )}
      {prices && <DestinationPrices prices={prices} />}
      <CallPrices />
      {text.isPending && <PageSkeleton />}
      {text.isError && !text.data && (
        <Card>
          <ErrorState title={WRITE_UP_FAILED} error={text.error} onRetry={() => void text.refetch()} />
        </Card>
      )}
      {text.data !== undefined && html.trim() === "" && (
        <Card>
          <EmptyState
            title="Nothing is written about prices yet"
            text="Write a campaign to see its exact price: nothing is sent or charged before you confirm."
            action={{ label: "Write a campaign", to: "/dashboard/compose-sms" }}
          />
        </Card>
      )}
      {html.trim() !== "" && (
        <Card sx={{ p: { xs: 2, sm: 3 } }}>
          <WriteUp html={html} />
        </Card>
      )}
    </>
  );
}

function Price({ value, currency }: { value: number; currency: Currency }) {
  return (
    <Typography sx={{ fontSize: "1.5rem", fontWeight: 700, letterSpacing: "-0.02em" }}>
      <UnitPrice value={value} currency={currency} />
    </Typography>
  );
}
