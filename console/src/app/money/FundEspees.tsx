// Fund the ESPEES account. The provider brings the payer back with `success` or `failed` in the address.
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { messageOf } from "../../api/problem";
import { session } from "../../api/session";
import { PageHeader } from "../../design/PageHeader";
import { toast } from "../../design/toasts";
import { FundForm } from "./FundForm";
import { FundLayout } from "./FundLayout";
import { REFERENCE_KEYS, startEspees } from "./payments";
import { RecentPayments } from "./RecentPayments";
import { ReturnNotice } from "./ReturnNotice";
import { useConfirmation } from "./useConfirmation";

export default function FundEspees() {
  const [params, setParams] = useSearchParams();
  const [paid, setPaid] = useState(0);
  const returned = params.has("success");
  const cancelled = params.has("failed");
  const { mutate, ...confirming } = useConfirmation("espees", ({ message }) => {
    toast.success(message);
    setPaid((count) => count + 1);
    setParams({}, { replace: true });
  });

  const asked = useRef(false);
  useEffect(() => {
    if (!returned || asked.current) return;
    asked.current = true;
    const reference = session.kept(REFERENCE_KEYS.espees);
    if (reference) mutate(reference, { onError: (problem) => toast.error(messageOf(problem)) });
    else setParams({}, { replace: true });
  }, [returned, mutate, setParams]);

  return (
    <>
      <PageHeader
        title="Fund ESPEE account"
        text="You pay from your ESPEES wallet, and the credit is here at once."
      />
      <ReturnNotice
        pending={confirming.isPending}
        problem={confirming.error}
        cancelled={cancelled}
        onAgain={() => confirming.variables && mutate(confirming.variables)}
      />
      <FundLayout>
        <FundForm
          provider="espees"
          unit="ESPEES"
          decimals={6}
          narrationRequired
          submit="Fund ESPEE account"
          begin={startEspees}
          paid={paid}
        />
        <RecentPayments
          provider="espees"
          busy={confirming.isPending ? confirming.variables : null}
          onCheck={(reference) => mutate(reference)}
        />
      </FundLayout>
    </>
  );
}
