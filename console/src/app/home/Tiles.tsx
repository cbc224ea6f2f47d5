// The six tiles of the specification: what there is, when something was sent last, and three ways on.
import AccountBalanceWalletOutlined from "@mui/icons-material/AccountBalanceWalletOutlined";
import CreditCardOutlined from "@mui/icons-material/CreditCardOutlined";
import EditNoteOutlined from "@mui/icons-material/EditNoteOutlined";
import ScheduleSendOutlined from "@mui/icons-material/ScheduleSendOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { balancesQuery, lastSentQuery } from "../../api/queries";
import { DateTime, Money, WholeMoney } from "../../design/values";

export function Tiles() {
  const balances = useQuery(balancesQuery());
  const lastSent = useQuery(lastSentQuery());
  return (
    <Box
      sx={{
        display: "grid",
        gap: { xs: 1, sm: 2 },
        gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(2, 1fr)", lg: "repeat(3, 1fr)" },
      }}
    >
      <Figure title="ESPEES Balance" icon={<AccountBalanceWalletOutlined />} query={balances}>
        {balances.data && (
          <>
            <Money value={balances.data["espees-balance"]} currency="espees" />
            <Reserved value={balances.data.espees_reserved} currency="espees" />
          </>
        )}
      </Figure>
      <Figure title="Naira Balance" icon={<CreditCardOutlined />} query={balances}>
        {balances.data && (
          <>
            <Money value={balances.data.paystack_balance} currency="naira" />
            <Reserved value={balances.data.paystack_reserved} currency="naira" />
          </>
        )}
      </Figure>
      <Figure title="Last Message Sent" icon={<ScheduleSendOutlined />} query={lastSent}>
        {lastSent.data && <DateTime value={lastSent.data.last_sent_message_time} none="None yet" />}
      </Figure>
      <Way
        title="Send Message"
        text="Write it, see the exact price, and watch it go out."
        to="/dashboard/compose-sms"
        icon={<EditNoteOutlined />}
        main
      />
      <Way
        title="Fund ESPEES"
        text="Buy ESPEES credit from your wallet."
        to="/dashboard/buy-sms-online"
        icon={<AccountBalanceWalletOutlined />}
      />
      <Way
        title="Fund Naira Account"
        text="Pay by card or bank transfer through Paystack."
        to="/dashboard/fund-with-paystack"
        icon={<CreditCardOutlined />}
      />
    </Box>
  );
}

/** On a phone a tile is a row: what it is, and at the end the figure or the way. */
const ROW = {
  p: { xs: 1.5, sm: 2.5 },
  pl: { xs: 2, sm: 2.5 },
  display: "flex",
  flexDirection: { xs: "row", sm: "column" },
  alignItems: { xs: "center", sm: "stretch" },
  justifyContent: "space-between",
  gap: { xs: 1.5, sm: 0 },
} as const;

function Tile({ title, icon, children }: { title: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Card component="section" aria-label={title} sx={ROW}>
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1,
          mb: { sm: 1.5 },
          color: "text.secondary",
          minWidth: 0,
        }}
      >
        <Typography component="h2" sx={{ flex: 1, fontSize: "0.9375rem", fontWeight: 600 }}>
          {title}
        </Typography>
        <Box aria-hidden sx={{ lineHeight: 0, display: { xs: "none", sm: "block" } }}>
          {icon}
        </Box>
      </Box>
      {children}
    </Card>
  );
}

interface FigureProps {
  title: string;
  icon: ReactNode;
  query: Pick<UseQueryResult, "isError" | "isPending" | "refetch">;
  children: ReactNode;
}

function Figure({ title, icon, query, children }: FigureProps) {
  return (
    <Tile title={title} icon={icon}>
      <Typography
        component="div"
        sx={{
          fontSize: { xs: "1.125rem", sm: "1.625rem" },
          fontWeight: 700,
          letterSpacing: "-0.02em",
          lineHeight: 1.3,
          minHeight: { sm: 62 },
          textAlign: { xs: "right", sm: "left" },
        }}
      >
        {query.isPending && <Skeleton width="60%" />}
        {children}
        {query.isError && !children && (
          <Button size="small" variant="outlined" onClick={() => void query.refetch()}>
            Not known. Try again
          </Button>
        )}
      </Typography>
    </Tile>
  );
}

function Reserved({ value, currency }: { value: number; currency: "espees" | "naira" }) {
  if (value === 0) return null;
  return (
    <Typography variant="body2" color="textSecondary" sx={{ letterSpacing: 0 }}>
      and <WholeMoney value={value} currency={currency} /> reserved by campaigns on their way
    </Typography>
  );
}

interface WayProps {
  title: string;
  text: string;
  to: string;
  icon: ReactNode;
  main?: boolean;
}

function Way({ title, text, to, icon, main }: WayProps) {
  return (
    <Tile title={title} icon={icon}>
      <Typography sx={{ flex: 1, mb: 2, display: { xs: "none", sm: "block" } }}>{text}</Typography>
      <Button
        component={Link}
        to={to}
        variant={main ? "contained" : "outlined"}
        aria-label={`${title}: Continue`}
        sx={{ alignSelf: { xs: "center", sm: "flex-start" } }}
      >
        Continue
      </Button>
    </Tile>
  );
}
