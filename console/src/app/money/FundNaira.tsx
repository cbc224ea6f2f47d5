// Fund the Naira account by Paystack, which brings the payer back with `reference` in the address.
import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { messageOf } from "../../api/problem";
import { PageHeader } from "../../design/PageHeader";
import { toast } from "../../design/toasts";
import { FundForm } from "./FundForm";
import { FundLayout } from "./FundLayout";
import { startPaystack } from "./payments";
import { RecentPayments } from "./RecentPayments";
import { ReturnNotice } from "./ReturnNotice";
import { useConfirmation } from "./useConfirmation";

export default function FundNaira() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [paid, setPaid] = useState(0);
  const reference = params.get("reference");
  const cancelled = params.has("cancelled");
  const { mutate, ...confirming } = useConfirmation("paystack", ({ message }) => {
    toast.success(message);
    setPaid((count) => count + 1);
  });

  const asked = useRef(false);
  useEffect(() => {
    if (!reference || cancelled || asked.current) return;
    asked.current = true;
    mutate(reference, {
      onSuccess: () => navigate("/dashboard", { replace: true }),
      onError: (problem) => toast.error(messageOf(problem)),
    });
  }, [reference, cancelled, mutate, navigate]);

  return (
    <>
      <PageHeader
        title="Fund Naira account"
        text="Pay by card, bank transfer or USSD on Paystack's page. Your card number never comes to us."
      />
      <ReturnNotice
        pending={confirming.isPending}
        problem={confirming.error}
        cancelled={cancelled}
        onAgain={() => confirming.variables && mutate(confirming.variables)}
      />
      <FundLayout>
        <FundForm
          provider="paystack"
          unit="₦"
          decimals={2}
          narrationRequired={false}
          submit="Pay with Paystack"
          begin={startPaystack}
          paid={paid}
        />
        <RecentPayments
          provider="paystack"
          busy={confirming.isPending ? confirming.variables : null}
          onCheck={(it) => mutate(it)}
        />
      </FundLayout>
    </>
  );
}
