// How the calls of a carrier go: those that are up, new ones, and how they ended lately.
import { count } from "../../design/count";
import { share } from "../../design/share";
import type { Carrier } from "./carrier";
import { Figure, Small } from "./Figure";

type Calls = NonNullable<Carrier["calls"]>;

interface Props {
  carrier: Carrier;
  calls: Calls;
}

/** In the order in which they are shown, those that are not answered. */
const UNANSWERED = {
  no_answer: "no answer",
  busy: "busy",
  rejected: "declined",
  invalid_number: "no such number",
  trunk_error: "refused by the trunk",
  failed: "failed",
} as const;

export function CallFigures({ carrier: it, calls }: Props) {
  const all = Object.values(calls.ended).reduce((sum, some) => sum + some, 0);
  const unanswered = Object.entries(UNANSWERED)
    .map(([how, words]) => ({ words, some: calls.ended[how] ?? 0 }))
    .filter(({ some }) => some > 0);
  return (
    <>
      <Figure name="Calls up">
        {it.window === null || it.window === undefined
          ? count(calls.up)
          : `${count(calls.up)} of ${count(it.window)}`}
      </Figure>
      <Figure name="New calls">
        {`${count(calls.begun_last_minute)} in a minute`}
        <Small>{`at most ${count(it.rate)} a second`}</Small>
      </Figure>
      <Figure name="Answered">
        {all === 0 ? "-" : share(calls.ended.answered ?? 0, all)}
        <Small>{all === 0 ? "none ended in 5 minutes" : `of ${count(all)} that ended in 5 minutes`}</Small>
      </Figure>
      <Figure name="Not answered">
        {unanswered.length === 0 && "-"}
        {unanswered.map(({ words, some }) => (
          <Small key={words}>{`${count(some)} ${words}`}</Small>
        ))}
      </Figure>
      {calls.packets > 0 && (
        <Figure name="Late audio">
          {share(calls.packets_late, calls.packets)}
          <Small>of packets, over 20 ms</Small>
        </Figure>
      )}
    </>
  );
}
