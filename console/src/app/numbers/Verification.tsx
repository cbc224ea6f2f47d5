// A phone is verified in two steps: it is called, and the code that the call speaks is entered.
import { zodResolver } from "@hookform/resolvers/zod";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { z } from "zod";
import { ApiProblem, messageOf } from "../../api/problem";
import { balancesQuery } from "../../api/queries";
import { useRequestKey } from "../../api/useRequestKey";
import { CodeBoxes, complete } from "../../design/CodeBoxes";
import { FormField, placeProblem } from "../../design/form";
import { currencyOf } from "../../design/money";
import { Payment } from "../../design/Payment";
import { ResendCode } from "../../design/ResendCode";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { pulsePricesQuery } from "../../design/unitPrice";
import { WholeMoney } from "../../design/values";
import { type CodeCall, callWithCode, codeCallQuery, numbersKey, verify } from "./numbers";

const callShape = z.object({
  own_number: z.string().trim().min(1, "Please enter your phone number"),
  payment_method: z
    .enum(["", "espees", "paystack"])
    .refine((method) => method !== "", "Payment method is required"),
});

const NO_CALL: z.input<typeof callShape> = { own_number: "", payment_method: "" };

/** How long until another call may be asked for. */
const AGAIN_S = 60;

/** A number whose code is awaited, as it was written. */
interface Waiting {
  number: string;
  /** Whether it was called from here, or at some time before. */
  called: boolean;
}

export function Verification() {
  const form = useForm({ resolver: zodResolver(callShape), defaultValues: NO_CALL });
  const { control, handleSubmit, setError, getValues, reset, trigger } = form;
  const client = useQueryClient();
  const prices = useQuery(pulsePricesQuery("own_number"));
  const request = useRequestKey();
  const heading = useId();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const [refused, setRefused] = useState<string | null>(null);

  const calling = useMutation({
    mutationFn: () => {
      const values = callShape.parse(getValues());
      return callWithCode(values, request.keyOf(JSON.stringify(values)));
    },
    onSettled: (_, problem) => {
      request.answered(problem ?? undefined);
      void client.invalidateQueries({ queryKey: balancesQuery().queryKey });
    },
  });
  const wait = (called: boolean) => setWaiting({ number: getValues("own_number").trim(), called });

  return (
    <Card component="section" aria-labelledby={heading} sx={{ p: { xs: 2, sm: 3 }, mb: 2.5 }}>
      <Typography id={heading} variant="h2" sx={{ mb: 2 }}>
        Verify a number
      </Typography>
      {waiting ? (
        <EnterCode
          number={waiting.number}
          call={waiting.called ? calling.data?.details : undefined}
          onCall={waiting.called ? calling.mutateAsync : null}
          onDone={() => {
            reset(NO_CALL);
            setWaiting(null);
          }}
          onBack={() => setWaiting(null)}
        />
      ) : (
        <FormProvider {...form}>
          <form
            noValidate
            aria-label="Call a number with its code"
            onSubmit={handleSubmit(() => {
              setRefused(null);
              calling.mutate(undefined, {
                onSuccess: ({ message }) => {
                  toast.success(message);
                  wait(true);
                },
                onError: (problem) =>
                  setRefused(placeProblem(problem, setError, ["own_number", "payment_method"])),
              });
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
                <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
                  <Button type="submit" variant="contained" loading={calling.isPending}>
                    Call me with a code
                  </Button>
                  <Button
                    color="inherit"
                    disabled={calling.isPending}
                    onClick={async () => {
                      setRefused(null);
                      if (await trigger("own_number", { shouldFocus: true })) wait(false);
                    }}
                  >
                    I have a code
                  </Button>
                  <Typography variant="body2" color="textSecondary" sx={{ flex: "1 1 240px" }}>
                    The call is charged like your calls from an own number, as a rule one pulse. If it is not
                    answered, its price is refunded.
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
  number: string;
  /** The last call, where it was made from here. */
  call: CodeCall | undefined;
  /** Calls once more; null where it was not called from here, so that it is not known what pays. */
  onCall: (() => Promise<unknown>) | null;
  onDone: () => void;
  onBack: () => void;
}

function EnterCode({ number, call, onCall, onDone, onBack }: EnterCodeProps) {
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const verifying = useMutation({
    mutationFn: (entered: string) => verify(number, entered),
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
        <div>
          <Typography>
            {onCall ? (
              <>
                <b>{number}</b> is called now. Pick it up, and enter the six digits that you hear.
              </>
            ) : (
              <>
                Enter the six digits that the last call to <b>{number}</b> spoke.
              </>
            )}
          </Typography>
          <div role="status">{call && <CallProgress key={call.id} begun={call} />}</div>
        </div>
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
              afterS={AGAIN_S}
              send={async () => {
                setRefused(null);
                await onCall();
                return { resend_after_s: AGAIN_S };
              }}
              label="Call me again"
              onRefused={(problem) => setRefused(messageOf(problem))}
            />
          )}
          <Button color="inherit" onClick={onBack}>
            Back
          </Button>
        </Box>
      </Stack>
    </form>
  );
}

/** How the call goes, and what of its price was refunded. */
function CallProgress({ begun }: { begun: CodeCall }) {
  const client = useQueryClient();
  const call = useQuery(codeCallQuery(begun)).data ?? begun;
  const { over } = call;
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: balancesQuery().queryKey });
  }, [over, client]);
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
      {call.message}.
      {over && call.refunded > 0 && (
        <>
          {" "}
          <WholeMoney value={call.refunded} currency={currencyOf(call.currency)} /> was refunded.
        </>
      )}
    </Typography>
  );
}
