import { useMutation } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { toast } from "../../design/toasts";
import { type Group, useForgetGroup } from "./phonebook";

interface Props {
  group: Group;
  onClose: () => void;
  onDone?: () => void;
}

export function DeleteGroup({ group, onClose, onDone }: Props) {
  const gone = useForgetGroup(group.id);
  const deleting = useMutation({
    mutationFn: () => ask(api.DELETE("/api/delete/group/{id}", { params: { path: { id: group.id } } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onDone?.();
      onClose();
      await gone();
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const count = group.contacts_count;
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${group.group_name}?`}
      confirm="Delete group"
      busy={deleting.isPending}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      {count === 0
        ? "The group is empty. This cannot be undone."
        : `Its ${count === 1 ? "one contact goes" : `${count.toLocaleString("en")} contacts go`} with it. Contacts in other groups, opt-outs and sent campaigns stay. This cannot be undone.`}
    </ConfirmDialog>
  );
}
