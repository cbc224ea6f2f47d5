// A phone is verified in two steps: it is called, and the code that the call speaks is entered.
import { zodResolver } from "@hookform/resolvers/zod";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { ApiProblem, messageOf } from "../../api/problem";
import { balancesQuery } from "../../api/queries";
import { useRequestKey } from "../../api/useRequestKey";
import { CodeBoxes, complete } from "../../design/CodeBoxes";
import { FormField, placeProblem } from "../../design/form";
import { Payment } from "../../design/Payment";
import { formatPhone } from "../../design/phone";
import { ResendCode } from "../../design/ResendCode";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { pulsePricesQuery } from "../../design/unitPrice";
import { callShape, callWithCode, NO_CALL, numbersKey, verify } from "./numbers";

/** A number whose code is awaited. */
export interface Waiting {
  /** As it was written, or in E.164 with its plus. */
  number: string;
  /** Whether it was called just now; else at some time before. */
  calledNow: boolean;
}

/** How long until another call may be asked for, where the daemon does not say. */
const AGAIN_S = 60;

interface Props {
  waiting: Waiting | null;
  onWaiting: (waiting: Waiting | null) => void;
}

export function Verification({ waiting, onWaiting }: Props) {
  const form = useForm({ resolver: zodResolver(callShape), defaultValues: NO_CALL });
  const { control, handleSubmit, setError, getValues, setValue, reset } = form;
  const client = useQueryClient();
  const prices = useQuery(pulsePricesQuery("own_number"));
  const request = useRequestKey();
  const [refused, setRefused] = useState<string | null>(null);

  const call = async () => {
    const values = callShape.parse(getValues());
    try {
      const answer = await callWithCode(values, request.keyOf(JSON.stringify(values)));
      request.answered();
      return { message: answer.message, resend_after_s: answer.resend_after_s ?? AGAIN_S };
    } catch (problem) {
      request.answered(problem);
      throw problem;
    } finally {
      void client.invalidateQueries({ queryKey: numbersKey() });
      void client.invalidateQueries({ queryKey: balancesQuery().queryKey });
    }
  };
  const calling = useMutation({
    mutationFn: call,
    onSuccess: ({ message }) => {
      toast.success(message);
      onWaiting({ number: getValues("own_number").trim(), calledNow: true });
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, ["own_number", "payment_method"])),
  });

  return (
    <Card component="section" aria-label="Verify a number" sx={{ p: { xs: 2, sm: 3 }, mb: 2.5 }}>
      {waiting ? (
        <EnterCode
          key={waiting.number}
          waiting={waiting}
          afterS={calling.data?.resend_after_s ?? AGAIN_S}
          onCall={waiting.calledNow ? call : null}
          onDone={() => {
            reset(NO_CALL);
            onWaiting(null);
          }}
          onBack={() => {
            setValue("own_number", waiting.number);
            onWaiting(null);
          }}
        />
      ) : (
        <FormProvider {...form}>
          <form
            noValidate
            aria-label="Call a number with its code"
            onSubmit={handleSubmit(() => {
              setRefused(null);
              calling.mutate();
            })}
          >
            <Stack sx={{ gap: 2.5 }}>
              <FormField
                name="own_number"
                control={control}
                label="Phone number"
                type="tel"
                autoComplete="tel"
                placeholder="08031234567"
                helperText="This phone is called, and a voice speaks a code of six digits, twice."
                sx={{ maxWidth: 360 }}
              />
              <Payment prices={prices.data} failure={prices.error} unit="pulse" />
              <div>
                <FormAlert text={refused} />
                <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
                  <Button type="submit" variant="contained" loading={calling.isPending}>
                    Call me with a code
                  </Button>
                  <Typography variant="body2" color="textSecondary" sx={{ flex: "1 1 240px" }}>
                    The call is charged like your calls from an own number: as a rule one pulse. A call that
                    is not answered costs nothing.
                  </Typography>
                </Box>
              </div>
            </Stack>
          </form>
        </FormProvider>
      )}
    </Card>
  );
}

interface EnterCodeProps {
  waiting: Waiting;
  /** How long until another call may be asked for. */
  afterS: number;
  /** Calls once more; null where it is not known what would pay. */
  onCall: (() => Promise<{ resend_after_s: number }>) | null;
  onDone: () => void;
  onBack: () => void;
}

function EnterCode({ waiting, afterS, onCall, onDone, onBack }: EnterCodeProps) {
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const verifying = useMutation({
    mutationFn: (entered: string) => verify(waiting.number, entered),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onDone();
      await client.invalidateQueries({ queryKey: numbersKey() });
    },
    onError: (problem) => {
      const at = problem instanceof ApiProblem ? problem.field("validation_code") : undefined;
      setWrong(at ?? null);
      setRefused(at ? null : messageOf(problem));
    },
  });
  const submit = (entered: string) => {
    if (verifying.isPending) return;
    setRefused(null);
    if (!complete(entered)) return setWrong("Please enter the 6-digit code");
    setWrong(null);
    verifying.mutate(entered);
  };
  const number = /^\+\d+$/.test(waiting.number) ? formatPhone(waiting.number.slice(1)) : waiting.number;
  return (
    <form
      noValidate
      aria-label="Enter the code"
      onSubmit={(event) => {
        event.preventDefault();
        submit(code);
      }}
    >
      <Stack sx={{ gap: 2.5 }}>
        <Typography aria-live="polite">
          {waiting.calledNow ? (
            <>
              <b>{number}</b> is called now. Pick it up, and enter the six digits that you hear.
            </>
          ) : (
            <>
              Enter the six digits that the last call to <b>{number}</b> spoke.
            </>
          )}
        </Typography>
        <FormAlert text={refused} />
        <CodeBoxes
          label="6-digit code"
          value={code}
          onChange={setCode}
          onComplete={submit}
          error={wrong}
          autoFocus
        />
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
          <Button type="submit" variant="contained" loading={verifying.isPending}>
            Verify
          </Button>
          {onCall && (
            <ResendCode
              afterS={afterS}
              send={onCall}
              label="Call me again"
              onRefused={(problem) => setRefused(messageOf(problem))}
            />
          )}
          <Button color="inherit" onClick={onBack}>
            {onCall ? "Use another number" : "Have it called again"}
          </Button>
        </Box>
      </Stack>
    </form>
  );
}
