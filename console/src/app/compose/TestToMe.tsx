// The message as it stands, to the customer's own phone: an ordinary message, at its price, which is asked for first.
import SendToMobileOutlined from "@mui/icons-material/SendToMobileOutlined";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link as To } from "react-router-dom";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import { useSession } from "../../api/session";
import { useRequestKey } from "../../api/useRequestKey";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { formatDateTime } from "../../design/dateTime";
import { formatPhone } from "../../design/phone";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { CURRENCY, charge, type PaymentMethod } from "../../design/unitPrice";
import { pricedBy } from "./estimate";

/** A message to one number, as the API takes it. */
export interface TestMessage {
  sms_type: string;
  senderid: string;
  purpose: string;
  payment_method: PaymentMethod;
  content: Record<string, string>;
  pages: number;
  /** Merge fields that no recipient here fills. */
  missing: readonly string[];
}

interface Props {
  /** The message; says what is wrong with it, and answers null, where it cannot be sent. */
  message: () => TestMessage | null;
  /** What a page costs to this number, in micro-units; null where no price is known. */
  priceTo: (number: string, method: PaymentMethod) => bigint | null;
  /** Whether prices differ by destination: then the daemon alone knows it. */
  byRate: boolean;
}

/** What a page for a purpose costs to a number from each balance; by the daemon, as it depends on the number's network, too. */
const pricesToQuery = (phone: string, purpose: string) => ({
  queryKey: own("compose", "prices-to", phone, purpose),
  queryFn: () =>
    ask(api.POST("/api/recipients/check", { body: { contacts: phone, purpose: purpose || undefined } })),
});

export function TestToMe({ message, priceTo, byRate }: Props) {
  const phone = useSession()?.user.phone_number ?? null;
  const client = useQueryClient();
  const opener = useRef<HTMLButtonElement>(null);
  const request = useRequestKey();
  const [asked, setAsked] = useState<TestMessage | null>(null);
  // Kept while the dialog fades.
  const [isOpen, setIsOpen] = useState(false);
  const found = useQuery({
    ...pricesToQuery(phone ?? "", asked?.purpose ?? ""),
    enabled: byRate && isOpen && phone !== null,
  });
  const lines = byRate ? (found.data?.rates ?? []) : undefined;
  const unitOf = (number: string, method: PaymentMethod) =>
    lines ? (pricedBy(lines, CURRENCY[method]).span?.[0] ?? null) : priceTo(number, method);
  const unit = asked && phone ? unitOf(phone, asked.payment_method) : null;
  const price = asked && unit !== null ? unit * BigInt(asked.pages) : null;
  const send = useMutation({
    mutationFn: ({ sms_type, senderid, purpose, payment_method, content }: TestMessage) => {
      const body = {
        sms_type,
        senderid,
        purpose: purpose || undefined,
        payment_method,
        contacts: phone ?? "",
        ...content,
        // What was agreed to, and no more: a price that changed meanwhile is told.
        max_charge: Number(price) / 1_000_000,
      };
      const headers = { "Idempotency-Key": request.keyOf(JSON.stringify(body)) };
      return ask(api.POST("/api/messages", { body, headers }));
    },
    onSuccess: ({ message, delayed_start }) => {
      request.answered();
      // The daemon's sentence names the time as the API writes it.
      toast.success(delayed_start ? message.replace(delayed_start, formatDateTime(delayed_start)) : message);
      setIsOpen(false);
      void client.invalidateQueries({ queryKey: own("balances") });
      void client.invalidateQueries({ queryKey: own("last-sent") });
    },
    onError: (problem) => request.answered(problem),
  });
  const open = () => {
    const next = message();
    if (!next) return;
    send.reset();
    setAsked(next);
    setIsOpen(true);
  };
  return (
    <>
      <Button
        ref={opener}
        variant="outlined"
        size="large"
        startIcon={<SendToMobileOutlined />}
        onClick={open}
      >
        Send a test to me
      </Button>
      <ConfirmDialog
        open={isOpen}
        title="Send a test to your own phone?"
        confirm="Send the test"
        maxWidth="xs"
        busy={send.isPending}
        disabled={price === null}
        opener={opener}
        onConfirm={() => asked && send.mutate(asked)}
        onClose={() => setIsOpen(false)}
      >
        <FormAlert
          text={send.isError ? messageOf(send.error) : found.isError ? messageOf(found.error) : null}
        />
        {found.isLoading && <Typography>Looking up the price.</Typography>}
        {asked && !found.isLoading && !found.isError && (
          <Question phone={phone} asked={asked} price={price} />
        )}
      </ConfirmDialog>
    </>
  );
}

function Question(props: { phone: string | null; asked: TestMessage; price: bigint | null }) {
  const { phone, asked, price } = props;
  if (!phone) {
    return (
      <Typography>
        Your profile has no phone number.{" "}
        <Link component={To} to="/dashboard/profile-summary" underline="always">
          Open your profile
        </Link>
      </Typography>
    );
  }
  if (price === null)
    return <Typography>No price to {formatPhone(phone)} is set for this balance.</Typography>;
  return (
    <>
      <Typography sx={{ mb: 1 }}>
        It goes to <b>{formatPhone(phone)}</b> and costs <b>{charge(price, asked.payment_method)}</b>, like
        any other message. In quiet hours it may have to wait until they end.
      </Typography>
      {asked.missing.length > 0 && (
        <Typography variant="body2" color="textSecondary">
          {asked.missing.map((name) => `{${name}}`).join(", ")} stays as it is written: no recipient here has
          a value for it.
        </Typography>
      )}
    </>
  );
}
