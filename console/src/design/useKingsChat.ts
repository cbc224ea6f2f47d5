// The button "Login with KingsChat", without its looks: the site and the sign-in draw it each in their own way.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { api, ask } from "../api/client";
import { CHAT, ChatError, signInByKingsChat } from "../api/kingschat";
import { ApiProblem } from "../api/problem";
import { startSession } from "../api/queries";
import { toast } from "./toasts";

/** KingsChat's answer without a token or a profile is told in one text; what the person can do something about, in its own. */
export function saidOf(error: unknown): string {
  if (error instanceof ChatError && error.message !== CHAT.noToken) return error.message;
  if (error instanceof ApiProblem && !UNTOLD.includes(error.status)) return error.message;
  return CHAT.failed;
}

/** What KingsChat said cannot be used. */
const UNTOLD = [400, 401, 502];

export function useKingsChat() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: options } = useQuery({
    queryKey: ["open", "kingschat"],
    queryFn: () => ask(api.GET("/api/kingschat/options")),
    staleTime: 5 * 60_000,
  });
  const entering = useMutation({
    mutationFn: signInByKingsChat,
    onSuccess: (answer) => {
      startSession(client, answer);
      toast.success("Logged in Successfully");
      navigate("/dashboard");
    },
    onError: (error) => {
      toast.error(saidOf(error));
    },
  });
  return {
    /** Undefined while it is not known whether the platform offers it. */
    offered: options?.enabled,
    busy: entering.isPending,
    enter: () => {
      if (options) entering.mutate(options);
    },
  };
}
