// Named actions of the data provider's table on a page: `useAction` for a form, `ActionButton` for a button that asks first.
import Button, { type ButtonProps } from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useDataProvider, useRefresh } from "react-admin";
import { messageOf } from "../api/problem";
import { ConfirmDialog } from "../design/ConfirmDialog";
import { type Toasts, useToasts } from "../design/toasts";
import type { RESOURCES, TalkdrumProvider } from "./dataProvider";
import type { ActionOf } from "./resource";

type Known = typeof RESOURCES;
export type ResourceWithActions = {
  [R in keyof Known]: Known[R] extends { actions: object } ? R : never;
}[keyof Known];
export type ActionName<R extends ResourceWithActions> = keyof Known[R]["actions"];
type ActionTypes<R extends ResourceWithActions, A extends ActionName<R>> = ActionOf<Known, R, A>;

interface ActionOptions<Answer> {
  /** Said when it is done; the daemon's own words unless given. */
  done?: string;
  /** Where the specification has words for a failure. */
  failed?: string;
  onDone?: (answer: Answer) => void;
  /** A form that shows the failure itself takes it here, and no toast comes but those it says. */
  onFailed?: (problem: unknown, toasts: Toasts) => void;
}

/** Does it, says so, and loads again what is on the page. */
export function useAction<R extends ResourceWithActions, A extends ActionName<R>>(
  resource: R,
  action: A,
  { done, failed, onDone, onFailed }: ActionOptions<ActionTypes<R, A>["answer"]> = {},
) {
  const provider = useDataProvider<TalkdrumProvider>();
  const refresh = useRefresh();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (target: ActionTypes<R, A>["target"]) => provider.act(resource, action, target),
    onMutate: toasts.begin,
    onSuccess: (answer) => {
      toasts.success(done ?? (answer as { message: string }).message);
      refresh();
      onDone?.(answer);
    },
    onError: (problem) => {
      if (onFailed) return onFailed(problem, toasts);
      // The specification's words as they are, and the daemon's reason by itself.
      if (failed) toasts.error(failed);
      toasts.error(messageOf(problem));
    },
  });
}

interface ActionButtonProps<R extends ResourceWithActions, A extends ActionName<R>>
  extends ActionOptions<ActionTypes<R, A>["answer"]> {
  resource: R;
  action: A;
  target: ActionTypes<R, A>["target"];
  label: string;
  /** For a row's button, where the label alone does not say what of. */
  ariaLabel?: string;
  /** What is asked before: what will happen, in numbers where there are some. Without it, it happens at once. */
  ask?: { title: string; body: ReactNode; confirm?: string; typed?: string };
  danger?: boolean;
  disabled?: boolean;
  icon?: ReactNode;
  size?: ButtonProps["size"];
  variant?: ButtonProps["variant"];
}

export function ActionButton<R extends ResourceWithActions, A extends ActionName<R>>(
  props: ActionButtonProps<R, A>,
) {
  const { resource, action, target, label, ask, danger, onDone, onFailed, done, failed } = props;
  const [open, setOpen] = useState(false);
  const doing = useAction(resource, action, {
    done,
    failed,
    onFailed,
    onDone: (answer) => {
      setOpen(false);
      onDone?.(answer);
    },
  });
  return (
    <>
      <Button
        size={props.size ?? "small"}
        variant={props.variant ?? "outlined"}
        color={danger ? "error" : "primary"}
        disabled={props.disabled}
        loading={!ask && doing.isPending}
        startIcon={props.icon}
        aria-label={props.ariaLabel}
        onClick={() => (ask ? setOpen(true) : doing.mutate(target))}
      >
        {label}
      </Button>
      {ask && (
        <ConfirmDialog
          open={open}
          title={ask.title}
          confirm={ask.confirm ?? label}
          danger={danger}
          typed={ask.typed}
          busy={doing.isPending}
          onConfirm={() => doing.mutate(target)}
          onClose={() => setOpen(false)}
        >
          {ask.body}
        </ConfirmDialog>
      )}
    </>
  );
}
