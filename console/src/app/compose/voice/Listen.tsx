// Hear it before it is paid for: a text as calls will say it, or the MP3 that was chosen.
import PlayArrowOutlined from "@mui/icons-material/PlayArrowOutlined";
import StopOutlined from "@mui/icons-material/StopOutlined";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { useFormContext } from "react-hook-form";
import { ApiProblem } from "../../../api/problem";
import { placeProblem } from "../../../design/form";
import { toast } from "../../../design/toasts";
import { NO_SPEECH, sayByBrowser } from "./browserSpeech";
import { preview } from "./calls";
import type { VoiceDraft } from "./draft";
import { useSound } from "./useSound";

export function ListenToText() {
  const { getValues, setError, clearErrors } = useFormContext<VoiceDraft>();
  const sound = useSound();
  const listen = useMutation({
    mutationFn: async (said: VoiceDraft) => sound.play(await preview(said)),
    onError: (problem, { ttsMsg, ttsVoice }) => {
      // What the text or the account is refused for, the browser's speech would only hide.
      if (problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500) {
        const rest = placeProblem(problem, setError, ["ttsMsg"]);
        if (rest) toast.error(rest);
      } else if (sayByBrowser(ttsMsg, ttsVoice)) {
        toast.info("This is your browser's voice: in calls the text is spoken by the one you chose.");
      } else toast.error(NO_SPEECH);
    },
  });
  const begin = () => {
    clearErrors("ttsMsg");
    const said = getValues();
    if (said.ttsMsg.trim()) listen.mutate(said);
    else setError("ttsMsg", { message: "Voice Message is required" }, { shouldFocus: true });
  };
  return <PlayButton playing={sound.playing} loading={listen.isPending} onPlay={begin} onStop={sound.stop} />;
}

export function ListenToFile({ file }: { file: File }) {
  const sound = useSound();
  const listen = useMutation({
    mutationFn: async () => sound.play(await file.arrayBuffer()),
    onError: () => toast.error("Your browser cannot play this file. The quote tells whether calls can."),
  });
  return (
    <PlayButton
      playing={sound.playing}
      loading={listen.isPending}
      onPlay={() => listen.mutate()}
      onStop={sound.stop}
    />
  );
}

interface Props {
  playing: boolean;
  loading: boolean;
  onPlay: () => void;
  onStop: () => void;
}

function PlayButton({ playing, loading, onPlay, onStop }: Props) {
  return (
    <Button
      variant="outlined"
      size="small"
      loading={loading}
      loadingPosition="start"
      startIcon={playing ? <StopOutlined /> : <PlayArrowOutlined />}
      onClick={playing ? onStop : onPlay}
    >
      {playing ? "Stop" : "Listen"}
    </Button>
  );
}
