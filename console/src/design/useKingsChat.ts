// The button "Login with KingsChat", without its looks: the site and the sign-in draw it each in their own way.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { api, ask } from "../api/client";
import { CHAT, ChatError, signInByKingsChat } from "../api/kingschat";
import { ApiProblem } from "../api/problem";
import { startSession } from "../api/queries";
import { toast } from "./toasts";

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
      const known = error instanceof ChatError || (error instanceof ApiProblem && error.status !== 401);
      toast.error(known ? error.message : CHAT.failed);
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
