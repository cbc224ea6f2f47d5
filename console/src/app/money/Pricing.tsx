// What the administrator writes about prices, and the prices of a page and of a pulse as they are now.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import DOMPurify from "dompurify";
import { useMemo } from "react";
import { api, ask } from "../../api/client";
import { smsPricesQuery } from "../../api/queries";
import type { Currency } from "../../design/money";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { useFailure } from "../../design/toasts";
import { UnitPrice } from "../../design/values";
import { CallPrices } from "./CallPrices";

/** The daemon has sanitised it; nothing that was stored before it did may run here either. */
const PURE = {
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select"],
  FORBID_ATTR: ["style", "class", "id"],
};

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
  // Where the browser is too old for it, it would hand the text back as it is.
  const html = useMemo(
    () => (DOMPurify.isSupported ? DOMPurify.sanitize(text.data ?? "", PURE) : ""),
    [text.data],
  );

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
          <Box
            sx={{
              maxWidth: 760,
              overflowWrap: "anywhere",
              "& > :first-of-type": { mt: 0 },
              "& > :last-child": { mb: 0 },
              "& h1, & h2, & h3": { fontSize: "1.25rem", lineHeight: 1.3, mt: 3, mb: 1 },
              "& a": { color: "primary.main" },
              "& img": { maxWidth: "100%", height: "auto" },
              "& table": { borderCollapse: "collapse", display: "block", overflowX: "auto" },
              "& td, & th": { border: 1, borderColor: "divider", px: 1.5, py: 0.75, textAlign: "left" },
            }}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the daemon and just above
            dangerouslySetInnerHTML={{ __html: html }}
          />
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
