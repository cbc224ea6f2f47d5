// A form that was opened with recipients: a group, an earlier list, a campaign that is copied. What is being written meanwhile
// is not mixed with it: it is asked for first, and kept as a draft.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { messageOf } from "../../api/problem";
import { beginningIn } from "../../design/composeAddress";
import type { Audience } from "./audience";
import { filledFormQuery } from "./calls";
import type { FilledForm } from "./draft";
import { Notice } from "./Notice";
import type { Composer } from "./useComposer";

interface Props<D extends Audience> {
  composer: Composer<D>;
  fieldsOf: (form: FilledForm) => Partial<D>;
}

export function BeginWith<D extends Audience>({ composer, fieldsOf }: Props<D>) {
  const [params, setParams] = useSearchParams();
  const wanted = beginningIn(params);
  const copied = useQuery({
    ...filledFormQuery(wanted?.campaign ?? 0),
    enabled: wanted?.campaign !== undefined,
  });
  const form = copied.data;
  const isReady = wanted !== null && composer.kept.opening.state === "ready" && (!wanted.campaign || !!form);
  const isBegun = useRef(false);
  const leave = () => setParams({}, { replace: true });
  const begin = async () => {
    if (!wanted || isBegun.current) return;
    isBegun.current = true;
    const { groups, audience } = wanted;
    const fields = form ? fieldsOf(form) : ({ groups, audience } as Partial<D>);
    if (await composer.begin(fields)) leave();
    isBegun.current = false;
  };
  const { isBlank } = composer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is ready
  useEffect(() => {
    if (isReady && isBlank) void begin();
  }, [isReady, isBlank]);

  if (!wanted) return null;
  if (copied.isError) {
    return (
      <Notice
        severity="error"
        text={`Campaign ${wanted.campaign} could not be read. ${messageOf(copied.error)}`}
        actions={[
          ["Try again", () => void copied.refetch()],
          ["Go on without", leave],
        ]}
      />
    );
  }
  if (!isReady || isBlank) return null;
  return (
    <Notice
      severity="info"
      text="You are writing another message. It is kept as a draft if you begin a new one."
      actions={[
        ["Begin a new one", () => void begin()],
        ["Go on with this one", leave],
      ]}
    />
  );
}
