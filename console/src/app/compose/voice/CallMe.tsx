// A test call: the customer's own phone rings, and plays what calls will. Free of charge. It is told in words how it goes.
import PhoneInTalkOutlined from "@mui/icons-material/PhoneInTalkOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormContext } from "react-hook-form";
import { Link as To } from "react-router-dom";
import { ApiProblem, messageOf } from "../../../api/problem";
import { duration } from "../../../design/duration";
import { placeProblem } from "../../../design/form";
import { formatPhone } from "../../../design/phone";
import { beginTestCall, recordingsKey, type TestCall, testCallQuery } from "./calls";
import { clipFault, type VoiceDraft } from "./draft";

export function CallMe() {
  const { getValues, setError, clearErrors } = useFormContext<VoiceDraft>();
  const client = useQueryClient();
  const [refused, setRefused] = useState<{ text: string; unverified: boolean } | null>(null);
  const beginning = useMutation({
    mutationFn: beginTestCall,
    onError: (problem) => {
      const text = placeProblem(problem, setError, ["ttsMsg", "audioFile", "audioUrl"]);
      const unverified = problem instanceof ApiProblem && problem.code === "phone_unverified";
      setRefused(text === null ? null : { text, unverified });
    },
    onSettled: (_call, _problem, { type }) => {
      // An MP3 is kept from then on.
      if (type === "voice") void client.invalidateQueries({ queryKey: recordingsKey() });
    },
  });
  const following = useQuery(testCallQuery(beginning.data));
  const call = following.data;
  const begin = () => {
    const draft = getValues();
    const fault = clipFault(draft);
    setRefused(null);
    clearErrors(["ttsMsg", "audioFile", "audioUrl"]);
    if (fault) setError(fault.field, { message: fault.text }, { shouldFocus: true });
    else beginning.mutate(draft);
  };
  const onItsWay = beginning.isPending || (call !== undefined && !call.over && !following.isError);
  return (
    <Box sx={{ mt: 2.5, pt: 2, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
        <Button
          variant="outlined"
          size="small"
          startIcon={<PhoneInTalkOutlined />}
          loading={onItsWay}
          loadingPosition="start"
          onClick={begin}
        >
          Call me
        </Button>
        <Typography variant="body2" color="textSecondary" sx={{ flex: "1 1 240px" }}>
          Hear it on your own phone first: the number of your profile is called, free of charge.
        </Typography>
      </Box>
      <div role="status">
        {call && !refused && !beginning.isPending && (
          <Typography variant="body2" sx={{ mt: 1.5, overflowWrap: "anywhere" }}>
            <b>{formatPhone(call.to)}</b>: {following.isError ? messageOf(following.error) : progressOf(call)}
          </Typography>
        )}
      </div>
      <div aria-live="assertive">
        {refused && (
          <Alert severity="error" variant="outlined" sx={{ mt: 1.5 }}>
            {refused.text}
            {refused.unverified && (
              <>
                {". "}
                <Link component={To} to="/dashboard/profile-summary" underline="always">
                  Open your profile
                </Link>
              </>
            )}
          </Alert>
        )}
      </div>
    </Box>
  );
}

/** The daemon's words, and once it is over what was heard and pressed. */
export function progressOf({ message, over, answered_at, heard_ms, length_ms, digits }: TestCall): string {
  if (!over || !answered_at) return `${message}.`;
  const [heard, all] = [heard_ms, length_ms].map((ms) => duration(Math.ceil(ms / 1_000)));
  const played = `${heard} of ${all} were played`;
  return `${message}. ${played}${digits ? `, and ${digits} was pressed` : ""}.`;
}
