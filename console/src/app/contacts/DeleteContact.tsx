import { useMutation } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { formatPhone } from "../../design/phone";
import { toast } from "../../design/toasts";
import { type Contact, useInvalidatePhonebook } from "./phonebook";

export function DeleteContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const changed = useInvalidatePhonebook();
  const deleting = useMutation({
    mutationFn: () => ask(api.DELETE("/api/delete/contact/{id}", { params: { path: { id: contact.id } } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onClose();
      await changed();
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${contact.name || formatPhone(contact.phone)}?`}
      confirm="Delete contact"
      busy={deleting.isPending}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      {formatPhone(contact.phone)} leaves this group. To stop messages to a number in every group, add it to
      the opt-outs instead.
    </ConfirmDialog>
  );
}
