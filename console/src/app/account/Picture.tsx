// The person's picture: shown, replaced, taken away.
import Avatar from "@mui/material/Avatar";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { messageOf } from "../../api/problem";
import type { User } from "../../api/session";
import { toast } from "../../design/toasts";
import { editProfile, useApplyEdit } from "./account";

const MOST_BYTES = 512 * 1024;

export function Picture({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const edited = useApplyEdit();
  const changing = useMutation({
    mutationFn: (file: File | null) => editProfile(file ? { avatar: file } : { remove_avatar: true }),
    onSuccess: async (answer, file) => {
      toast.success(file ? "Your picture is changed" : "Your picture is taken away");
      await edited(answer);
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const choose = (file: File | undefined) => {
    if (!file) return;
    if (file.size > MOST_BYTES) toast.error("The picture must have at most 512 KiB");
    else changing.mutate(file);
  };
  const name = user.name || user.username;
  return (
    <Stack sx={{ alignItems: "center", gap: 1 }}>
      <Avatar
        src={user.avatar ?? undefined}
        alt={`Picture of ${name}`}
        sx={{
          width: 88,
          height: 88,
          fontSize: "2rem",
          bgcolor: "primary.light",
          color: "primary.main",
          fontWeight: 650,
        }}
      >
        {name.charAt(0).toUpperCase()}
      </Avatar>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label="Picture file"
        hidden
        onChange={(event) => {
          choose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Stack direction="row">
        <Button
          size="small"
          loading={changing.isPending}
          onClick={() => input.current?.click()}
          title="PNG, JPEG or WebP, at most 512 KiB"
        >
          {user.avatar ? "Change picture" : "Add a picture"}
        </Button>
        {user.avatar && (
          <Button
            size="small"
            color="error"
            disabled={changing.isPending}
            onClick={() => changing.mutate(null)}
          >
            Remove
          </Button>
        )}
      </Stack>
    </Stack>
  );
}
