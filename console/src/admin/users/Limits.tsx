// What one account may spend in a day, and whether its large sends wait for an administrator: the platform's guard against
// an account in wrong hands.
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useGetOne, useRefresh } from "react-admin";
import { ApiProblem, messageOf } from "../../api/problem";
import { Choice } from "../../design/Choice";
import { FormDialog } from "../../design/FormDialog";
import type { Currency } from "../../design/money";
import { ErrorState } from "../../design/states";
import { toast } from "../../design/toasts";
import { DateTime, Money } from "../../design/values";
import type { TalkdrumProvider } from "../dataProvider";
import { type Cap, capOf, capText, type Limits } from "./limit";
import { SettingCard } from "./SettingCard";

export function UserLimits({ id, name }: { id: number; name: string }) {
  const { data, error, refetch } = useGetOne<Limits>("user-limits", { id });
  const [open, setOpen] = useState(false);
  return (
    <SettingCard title="Limits" change="Change limits" disabled={!data} onChange={() => setOpen(true)}>
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Day currency="espees" cap={data.cap_espees} spent={data.spent_espees} limits={data} />
          <Day currency="naira" cap={data.cap_naira} spent={data.spent_naira} limits={data} />
          <Typography>
            {data.proven ? (
              <>
                Large sends go out at once, since <DateTime value={data.proven_at} none="the beginning" />.
              </>
            ) : (
              "Large sends wait until an administrator resumes them."
            )}
          </Typography>
        </>
      )}
      {data && open && <LimitsDialog limits={data} name={name} onClose={() => setOpen(false)} />}
    </SettingCard>
  );
}

interface DayProps {
  currency: Currency;
  cap: number | null | undefined;
  spent: number;
  limits: Limits;
}

function Day({ currency, cap, spent, limits }: DayProps) {
  const unit = currency === "espees" ? "ESPEES" : "Naira";
  const byDefault = currency === "espees" ? limits.cap_espees_is_default : limits.cap_naira_is_default;
  return (
    <Typography sx={{ mb: 0.5 }}>
      {cap == null ? (
        `${unit}: no limit`
      ) : (
        <>
          {unit}: <Money value={spent} currency={currency} /> of <Money value={cap} currency={currency} />{" "}
          confirmed today
        </>
      )}
      {byDefault && ", the platform's default"}
    </Typography>
  );
}

const CHOICES = [
  ["default", "The platform's default"],
  ["none", "No limit"],
  ["own", "A limit of its own"],
] as const;

function LimitsDialog({ limits, name, onClose }: { limits: Limits; name: string; onClose: () => void }) {
  const [espees, setEspees] = useState(capOf(limits.cap_espees, limits.cap_espees_is_default));
  const [naira, setNaira] = useState(capOf(limits.cap_naira, limits.cap_naira_is_default));
  const [proven, setProven] = useState(limits.proven);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const provider = useDataProvider<TalkdrumProvider>();
  const refresh = useRefresh();
  const saving = useMutation({
    mutationFn: () => {
      const data = { cap_espees: capText(espees), cap_naira: capText(naira), proven };
      return provider.update("user-limits", { id: limits.id, data, previousData: limits });
    },
    onSuccess: () => {
      toast.success(`The limits of ${name} are changed`);
      refresh();
      onClose();
    },
    onError: (problem) => {
      const fields = problem instanceof ApiProblem ? problem.errors : [];
      setWrong(
        fields.length > 0
          ? Object.fromEntries(fields.map((it) => [it.field, it.message]))
          : { form: messageOf(problem) },
      );
    },
  });
  // What was wrong may be right now.
  const chosen = (set: (cap: Cap) => void) => (cap: Cap) => {
    setWrong({});
    set(cap);
  };
  return (
    <FormDialog
      title={`Limits of ${name}`}
      submit="Save limits"
      busy={saving.isPending}
      problem={wrong.form}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        const missing: Record<string, string> = {};
        if (capText(espees) === "") missing.cap_espees = "Amount is required";
        if (capText(naira) === "") missing.cap_naira = "Amount is required";
        setWrong(missing);
        if (Object.keys(missing).length === 0) saving.mutate();
      }}
    >
      <Typography color="textSecondary">
        What may be confirmed between midnight and midnight in Lagos. More is refused with a sentence, and
        what is confirmed already goes on.
      </Typography>
      <CapFields unit="ESPEES" cap={espees} onCap={chosen(setEspees)} problem={wrong.cap_espees} />
      <CapFields unit="Naira" cap={naira} onCap={chosen(setNaira)} problem={wrong.cap_naira} />
      <FormControlLabel
        control={<Switch checked={proven} onChange={(_, checked) => setProven(checked)} />}
        label="Large sends go out without waiting for an administrator"
      />
    </FormDialog>
  );
}

interface CapProps {
  unit: string;
  cap: Cap;
  onCap: (cap: Cap) => void;
  problem?: string;
}

function CapFields({ unit, cap, onCap, problem }: CapProps) {
  return (
    <Stack sx={{ flexDirection: { xs: "column", sm: "row" }, gap: 2 }}>
      <Choice
        label={`${unit} a day`}
        value={cap.kind}
        onChange={(kind) => onCap({ ...cap, kind: kind as Cap["kind"] })}
        options={CHOICES}
        error={Boolean(problem) && cap.kind !== "own"}
        helperText={cap.kind === "own" ? undefined : problem}
        sx={{ flex: 1 }}
      />
      {cap.kind === "own" && (
        <TextField
          label={`At most in ${unit}`}
          value={cap.amount}
          onChange={(event) => onCap({ ...cap, amount: event.target.value })}
          error={Boolean(problem)}
          helperText={problem}
          slotProps={{ htmlInput: { inputMode: "decimal", autoComplete: "off" } }}
          sx={{ flex: 1 }}
        />
      )}
    </Stack>
  );
}
