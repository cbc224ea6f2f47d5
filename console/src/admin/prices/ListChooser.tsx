// Which list of rates is shown and edited: that for all, or a plan's. Plans are added and removed here.
import Add from "@mui/icons-material/Add";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Choice } from "../../design/Choice";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { counted } from "../../design/count";
import { NewPlanDialog } from "./NewPlanDialog";
import type { Edits } from "./rateList";
import { FOR_ALL, PLANS_MAX, type RateList } from "./rateLists";

interface Props {
  lists: readonly RateList[];
  chosen: RateList;
  disabled: boolean;
  onChoose: (name: string) => void;
  onAdd: (name: string, edits: Edits) => void;
  /** Marks the chosen plan as removed, or forgets it where it is new. */
  onRemove: () => void;
  /** Takes back what was changed of the chosen plan. */
  onKeep: () => void;
}

export function ListChooser({ lists, chosen, disabled, onChoose, onAdd, onRemove, onKeep }: Props) {
  const [isAdding, setIsAdding] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const isPlan = chosen.name !== FOR_ALL;
  return (
    <Card
      component="section"
      aria-label="List of rates"
      sx={{ p: 2, mb: 2, display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}
    >
      <Choice
        label="List"
        value={chosen.name}
        onChange={onChoose}
        disabled={disabled}
        options={lists.map((it) => [it.name, optionOf(it)])}
        fullWidth={false}
        sx={{ flex: { xs: "1 1 100%", sm: "0 1 320px" } }}
      />
      <Typography variant="body2" color="textSecondary" sx={{ flex: "1 1 240px" }}>
        {textOf(chosen, lists.length > 1)}
      </Typography>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        {isPlan &&
          (chosen.state === "removed" ? (
            <Button variant="outlined" onClick={onKeep}>
              Keep plan
            </Button>
          ) : (
            <Button
              variant="outlined"
              color="error"
              disabled={chosen.users > 0}
              onClick={() => setIsRemoving(true)}
            >
              Remove plan
            </Button>
          ))}
        <Button
          variant="outlined"
          startIcon={<Add />}
          disabled={disabled || lists.length > PLANS_MAX}
          onClick={() => setIsAdding(true)}
        >
          New plan
        </Button>
      </Box>
      {isAdding && (
        <NewPlanDialog
          lists={lists}
          from={chosen.wanted.length > 0 ? chosen.name : null}
          onDone={(name, edits) => {
            setIsAdding(false);
            onAdd(name, edits);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      <ConfirmDialog
        open={isRemoving}
        title={`Remove the plan ${chosen.name}?`}
        confirm="Remove plan"
        danger
        maxWidth="xs"
        onConfirm={() => {
          setIsRemoving(false);
          onRemove();
        }}
        onClose={() => setIsRemoving(false)}
      >
        {chosen.state === "new"
          ? "It was not saved yet: it is gone at once, with the rates that you put into it."
          : `No user has it. It goes with its ${counted(chosen.stored.length, "rate")} when you save the rates; until then you can keep it.`}
      </ConfirmDialog>
    </Card>
  );
}

function optionOf({ name, users, state }: RateList): string {
  if (name === FOR_ALL) return "For all";
  if (state) return `${name} (${state})`;
  return `${name} (${users === 0 ? "no users" : counted(users, "user")})`;
}

function textOf({ name, users, state, wanted }: RateList, hasPlans: boolean): string {
  if (name === FOR_ALL)
    return hasPlans
      ? "For all users without a plan, and for those with one where it says nothing for a number."
      : "For all users. A plan has rates of its own for some of them.";
  if (state === "removed" && users > 0)
    return `${counted(users, "user has", "users have")} this plan: it cannot be left without rates.`;
  if (state === "removed") return "It is removed when you save the rates.";
  if (state === "new")
    return wanted.length > 0
      ? "Save the rates, then give the plan to users on their pages."
      : "It is saved with its first rate: add one, or import a file.";
  if (users === 0) return "No user has it yet: give it to users on their pages.";
  return `${counted(users, "user has", "users have")} it: for them it is read before the rates for all. It can be removed when it is taken from them.`;
}
