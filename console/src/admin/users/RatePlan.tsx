// Which rates hold for one account: those for all, or those of a rate plan before them.
import MuiLink from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useRefresh } from "react-admin";
import { Link } from "react-router-dom";
import { ApiProblem, messageOf } from "../../api/problem";
import { rateListsQuery, ratesQuery } from "../../api/queries";
import { Choice } from "../../design/Choice";
import { counted } from "../../design/count";
import { FormDialog } from "../../design/FormDialog";
import { ErrorState } from "../../design/states";
import { toast } from "../../design/toasts";
import { addressOf } from "../address";
import type { TalkdrumProvider } from "../dataProvider";
import { SettingCard } from "./SettingCard";

interface Props {
  id: number;
  name: string;
  plan: string | null;
}

export function UserRatePlan({ id, name, plan }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <SettingCard title="Rate plan" change="Change plan" onChange={() => setOpen(true)}>
      <Typography>
        {plan === null ? (
          "None: the rates for all."
        ) : (
          <>
            <MuiLink component={Link} to={`${addressOf("rates")}?plan=${encodeURIComponent(plan)}`}>
              {plan}
            </MuiLink>
            : its rates come before those for all.
          </>
        )}
      </Typography>
      {open && <PlanDialog id={id} name={name} plan={plan} onClose={() => setOpen(false)} />}
    </SettingCard>
  );
}

function PlanDialog({ id, name, plan, onClose }: Props & { onClose: () => void }) {
  const [chosen, setChosen] = useState(plan ?? "");
  const client = useQueryClient();
  const provider = useDataProvider<TalkdrumProvider>();
  const refresh = useRefresh();
  const lists = useQuery(rateListsQuery());
  const plans = lists.data?.plans ?? [];
  const saving = useMutation({
    mutationFn: () =>
      provider.update("user-rate-plan", { id, data: { plan: chosen }, previousData: { id, plan } }),
    onSuccess: () => {
      toast.success(chosen ? `${name} has the plan ${chosen}` : `${name} has the rates for all`);
      void client.invalidateQueries({ queryKey: rateListsQuery().queryKey });
      void client.invalidateQueries({ queryKey: ratesQuery().queryKey });
      refresh();
      onClose();
    },
    // A plan that another removed meanwhile is offered no longer.
    onError: () => void lists.refetch(),
  });
  const fault = saving.error instanceof ApiProblem ? saving.error.field("plan") : undefined;
  const known = plan === null || plans.some((it) => it.name === plan);
  return (
    <FormDialog
      title={`Rate plan of ${name}`}
      submit="Save plan"
      busy={saving.isPending}
      problem={saving.error && !fault ? messageOf(saving.error) : null}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === (plan ?? "")) return onClose();
        saving.mutate();
      }}
    >
      <Typography color="textSecondary">
        A plan is read before the rates for all. It holds from the next quote on: quotes that stand keep their
        price.
      </Typography>
      {lists.isError && !lists.data ? (
        <ErrorState error={lists.error} onRetry={() => void lists.refetch()} />
      ) : (
        <Choice
          label="Plan"
          value={chosen}
          onChange={(next) => {
            saving.reset();
            setChosen(next);
          }}
          options={[
            ["", "None: the rates for all"],
            ...(plan !== null && !known ? [[plan, plan] as const] : []),
            ...plans.map((it) => [it.name, `${it.name} (${counted(it.rates.length, "rate")})`] as const),
          ]}
          error={Boolean(fault)}
          helperText={
            fault ??
            (lists.data && plans.length === 0
              ? "There is no plan yet: add one on the page Rates."
              : undefined)
          }
        />
      )}
    </FormDialog>
  );
}
