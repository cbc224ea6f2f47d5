// For a new account: what is to be done until the first campaign is out. It ticks itself off, and goes when all is done.
import CheckCircle from "@mui/icons-material/CheckCircle";
import RadioButtonUnchecked from "@mui/icons-material/RadioButtonUnchecked";
import Box from "@mui/material/Box";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link as To } from "react-router-dom";
import { api, ask } from "../../api/client";
import { type Balances, balancesQuery, own } from "../../api/queries";
import type { User } from "../../api/session";
import { Panel } from "../../design/campaign/Panel";
import { micros } from "../../design/money";

interface Step {
  title: string;
  text: string;
  to: string;
  done: boolean;
}

interface Known {
  senders: number;
  contacts: number;
}

/** One row of each list is read, for its total. */
const knownQuery = () =>
  queryOptions({
    queryKey: own("first-steps"),
    queryFn: async (): Promise<Known> => {
      const one = { params: { query: { page: 1, per_page: 1 } } };
      const [senders, contacts] = await Promise.all([
        ask(api.GET("/api/get-sender-id", { params: { query: { page: 1, per_page: 20 } } })),
        ask(api.GET("/api/get/contact", one)),
      ]);
      // The platform's own sender is in the list of every user.
      const requested = senders.senderId.filter((it) => it.user_id != null);
      return { senders: requested.length, contacts: contacts.total };
    },
    staleTime: 0,
  });

const SENDER_ID = "/dashboard/request-sender-id";
const IMPORT = "/dashboard/upload-contacts";
/** What one does without who sends: WEBSMS is there for all, and numbers can be typed. */
const OPTIONAL = [SENDER_ID, IMPORT];

export function stepsOf(
  user: Pick<User, "email_verified">,
  balances: Balances,
  known: Known,
  sent: boolean,
): Step[] {
  const funded = [balances["espees-balance"], balances.paystack_balance].some(
    (it) => (micros(it) ?? 0n) > 0n,
  );
  return [
    {
      title: "Verify your e-mail address",
      text: "A code is sent to it. It is the way back in when a password is lost.",
      to: "/dashboard/profile-summary",
      done: user.email_verified === true,
    },
    {
      title: "Add credit",
      text: "In Naira by card, transfer or USSD, or in ESPEES. What is not used stays yours.",
      to: "/dashboard/fund-with-paystack",
      done: funded || sent,
    },
    {
      title: "Request a sender ID",
      text: "The name your messages come from. It is free, and decided within a day; until then WEBSMS works.",
      to: SENDER_ID,
      done: known.senders > 0,
    },
    {
      title: "Import your contacts",
      text: "A CSV or text file: numbers are found, cleaned and counted once.",
      to: IMPORT,
      done: known.contacts > 0,
    },
    {
      title: "Send your first message",
      text: "You see the exact price before anything is charged.",
      to: "/dashboard/compose-sms",
      done: sent,
    },
  ];
}

export function FirstSteps({ user, sent }: { user: User; sent: boolean }) {
  const balances = useQuery(balancesQuery()).data;
  const known = useQuery(knownQuery()).data;
  if (!balances || !known) return null;
  const steps = stepsOf(user, balances, known, sent);
  const done = steps.filter((it) => it.done).length;
  // For what is optional who has sent needs no list any more.
  if (steps.every((it) => it.done || (sent && OPTIONAL.includes(it.to)))) return null;
  return (
    <Box sx={{ mt: 2 }}>
      <Panel
        title="First steps"
        aside={
          <Typography variant="body2" color="textSecondary">
            {done} of {steps.length} done
          </Typography>
        }
      >
        <LinearProgress
          variant="determinate"
          value={(100 * done) / steps.length}
          aria-label="First steps done"
          sx={{ height: 6, borderRadius: 3, mb: 2 }}
        />
        <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 1.5 }}>
          {steps.map((it) => (
            <Box component="li" key={it.to} sx={{ display: "flex", gap: 1.5 }}>
              <Box
                aria-hidden
                sx={{ lineHeight: 0, pt: 0.25, color: it.done ? "success.main" : "text.secondary" }}
              >
                {it.done ? <CheckCircle /> : <RadioButtonUnchecked />}
              </Box>
              <div>
                {it.done ? (
                  <Typography sx={{ fontWeight: 600, color: "text.secondary" }}>
                    {it.title} <span className="visually-hidden">(done)</span>
                  </Typography>
                ) : (
                  <>
                    <Link component={To} to={it.to} sx={{ fontWeight: 600 }}>
                      {it.title}
                    </Link>
                    <Typography variant="body2" color="textSecondary">
                      {it.text}
                    </Typography>
                  </>
                )}
              </div>
            </Box>
          ))}
        </Box>
      </Panel>
    </Box>
  );
}
