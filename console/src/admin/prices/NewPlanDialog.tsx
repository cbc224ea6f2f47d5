// A new rate plan: its name, and the list that it starts from.
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Choice } from "../../design/Choice";
import { counted } from "../../design/count";
import { FormDialog } from "../../design/FormDialog";
import { FormField } from "../../design/form";
import { type Edits, keyOf, NO_EDITS } from "./rateList";
import { FOR_ALL, planNameFault, type RateList, readPlanName } from "./rateLists";

interface Props {
  lists: readonly RateList[];
  /** The list that is copied at first; null for none. */
  from: string | null;
  onDone: (name: string, edits: Edits) => void;
  onClose: () => void;
}

/** No list has this name. */
const NONE = " ";

export function NewPlanDialog({ lists, from, onDone, onClose }: Props) {
  const { control, handleSubmit, setError } = useForm({ defaultValues: { name: "" } });
  const [copied, setCopied] = useState(from ?? NONE);
  const filled = lists.filter((it) => it.wanted.length > 0);
  const submit = (fields: { name: string }) => {
    const name = readPlanName(fields.name);
    const fault = planNameFault(name, lists);
    if (fault) return setError("name", { message: fault }, { shouldFocus: true });
    const rows = filled.find((it) => it.name === copied)?.wanted ?? [];
    onDone(
      name,
      rows.length > 0
        ? new Map(rows.map((it) => [keyOf(it), { ...it, updated_at: null, cost: undefined }]))
        : NO_EDITS,
    );
  };
  return (
    <FormDialog
      title="New rate plan"
      submit="Add plan"
      busy={false}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      onClose={onClose}
    >
      <Typography variant="body2" color="textSecondary">
        A plan has rates of its own, for the users that you give it to on their pages. Where it says nothing
        for a number, the rates for all hold. Nothing is saved before you save all rates.
      </Typography>
      <FormField
        name="name"
        control={control}
        label="Name"
        placeholder="gold"
        autoComplete="off"
        helperText="It cannot be changed later: for another name, copy the plan"
        slotProps={{
          htmlInput: { autoCapitalize: "none", spellCheck: false },
          inputLabel: { shrink: true },
        }}
      />
      <Choice
        label="Start from"
        value={copied}
        onChange={setCopied}
        options={[
          [NONE, "No rates"],
          ...filled.map(({ name, wanted }): [string, string] => [
            name,
            `${name === FOR_ALL ? "A copy of the rates for all" : `A copy of ${name}`} (${counted(wanted.length, "rate")})`,
          ]),
        ]}
      />
    </FormDialog>
  );
}
