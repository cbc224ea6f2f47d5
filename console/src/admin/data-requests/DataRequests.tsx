// A person asks what is held about their number, or to have it erased: a data subject request. The number is personal, so
// that it never stands in the address; each look is in the audit trail, so that it is asked for on purpose only.
import Search from "@mui/icons-material/Search";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { api, ask } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { PageHeader } from "../../design/PageHeader";
import { numberIn } from "../../design/Palette";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { ErasureCard } from "./ErasureCard";
import { useErasure } from "./erasure";
import { Held } from "./Held";

export default function DataRequests() {
  const looking = useMutation({
    // Nothing of it is kept when the page is left.
    gcTime: 0,
    mutationFn: (number: string) =>
      ask(api.GET("/admin/subjects/{number}", { params: { path: { number } } })),
  });
  const shown = useRef<string>(undefined);
  shown.current = looking.data?.number;
  // What is left is looked for, unless the administrator has asked for another number meanwhile.
  const erasure = useErasure((number) => {
    if (shown.current === number) looking.mutate(number);
  });
  const noNumber = looking.error instanceof ApiProblem && looking.error.status === 404;
  const look = (number: string) => {
    if (!erasure.isRunning) erasure.forget();
    looking.mutate(number);
  };
  return (
    <>
      <PageHeader
        title="Data Requests"
        text={
          <>
            When a person asks what you hold about their phone number, or wants it erased. Every search,
            export and erasure is in the audit trail, by the number's last four digits. Files and backups are
            not searched: see <Link href="/handbook/privacy.html">Privacy</Link> in the handbook.
          </>
        }
      />
      <NumberForm
        isBusy={looking.isPending}
        refused={noNumber ? looking.error?.message : undefined}
        onSearch={look}
      />
      <ErasureCard erasure={erasure} />
      {looking.isPending ? (
        <PageSkeleton />
      ) : looking.isError && !noNumber ? (
        <ErrorState error={looking.error} onRetry={() => looking.mutate(looking.variables)} />
      ) : looking.data ? (
        <Held
          key={looking.data.number}
          subject={looking.data}
          isErasing={erasure.isBusy}
          onErase={erasure.begin}
        />
      ) : (
        <Card>
          <EmptyState
            title="Whose number?"
            text="Type it in any form: 08031234567, +234 803 123 4567 or 2348031234567."
            icon={<Search sx={{ fontSize: 40 }} />}
          />
        </Card>
      )}
    </>
  );
}

interface FormProps {
  isBusy: boolean;
  /** Why the daemon takes the last one for no number. */
  refused: string | undefined;
  onSearch: (number: string) => void;
}

function NumberForm({ isBusy, refused, onSearch }: FormProps) {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const search = (event: FormEvent) => {
    event.preventDefault();
    const number = numberIn(text);
    setWrong(number === null);
    if (number !== null) onSearch(number);
  };
  const problem = isWrong ? "Type a phone number, such as 08031234567" : refused;
  return (
    <Stack
      component="form"
      role="search"
      noValidate
      autoComplete="off"
      onSubmit={search}
      sx={{ flexDirection: "row", alignItems: "flex-start", gap: 1, mb: 2, maxWidth: 480 }}
    >
      <TextField
        label="Phone number"
        type="tel"
        autoFocus
        autoComplete="off"
        value={text}
        error={Boolean(problem)}
        helperText={problem}
        onChange={(event) => {
          setText(event.target.value);
          setWrong(false);
        }}
      />
      <Button type="submit" variant="contained" loading={isBusy} sx={{ flexShrink: 0 }}>
        Search
      </Button>
    </Stack>
  );
}
