// One rate: where to and what for, and what a page costs there.
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import { Controller, useForm } from "react-hook-form";
import { DefaultPurpose } from "../../design/DefaultPurpose";
import { FormDialog } from "../../design/FormDialog";
import { FormField } from "../../design/form";
import { amountOf, micros } from "../../design/money";
import { networkName } from "../../design/network";
import { amount } from "../form/validate";
import { keyOf, nameOf, prefixFault, type RateRow, readNetwork, readPrefix } from "./rateList";

interface Fields {
  prefix: string;
  network: string;
  purpose: RateRow["purpose"];
  espees: string;
  naira: string;
}

interface Props {
  /** The one that is edited; null for a new one. */
  row: RateRow | null;
  /** Those that there are beside it. */
  others: readonly RateRow[];
  /** Networks that are named already. */
  networks: readonly string[];
  onDone: (row: RateRow) => void;
  onClose: () => void;
}

const shown = (value: bigint | null) =>
  value === null ? "" : amountOf(value).replace(/0+$/, "").replace(/\.$/, "");
const read = (text: string) => (text.trim() ? micros(text) : null);
const priceFault = (text: string) => (text.trim() ? amount(text, "") : undefined);

const FOR = "What the messages are for; a rate for all holds where there is none for a purpose";

export function RateDialog({ row, others, networks, onDone, onClose }: Props) {
  const list = useId();
  const { control, handleSubmit, setError } = useForm<Fields>({
    defaultValues: {
      prefix: row?.prefix ?? "",
      network: row?.network ?? "",
      purpose: row?.purpose ?? "",
      espees: shown(row?.espees ?? null),
      naira: shown(row?.naira ?? null),
    },
  });
  const submit = (fields: Fields) => {
    const next: RateRow = {
      prefix: readPrefix(fields.prefix),
      network: readNetwork(fields.network),
      purpose: fields.purpose,
      espees: read(fields.espees),
      naira: read(fields.naira),
      updated_at: null,
    };
    const faults: [keyof Fields, string | null | undefined][] = [
      ["prefix", prefixFault(next.prefix)],
      ["espees", priceFault(fields.espees)],
      ["naira", priceFault(fields.naira)],
    ];
    if (others.some((it) => keyOf(it) === keyOf(next)))
      faults.push(["prefix", `There is a rate of ${nameOf(next)} already`]);
    if (!fields.espees.trim() && !fields.naira.trim())
      faults.push(["espees", "Give a price in ESPEES, in Naira or in both"]);
    const wrong = faults.filter(([, text]) => text);
    for (const [at, [field, text]] of wrong.entries()) {
      setError(field, { message: text ?? "" }, { shouldFocus: at === 0 });
    }
    if (wrong.length === 0) onDone(next);
  };
  const decimal = { htmlInput: { inputMode: "decimal" as const } };
  return (
    <FormDialog
      title={row ? `Rate of ${nameOf(row)}` : "New rate"}
      submit={row ? "Change" : "Add"}
      busy={false}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      onClose={onClose}
    >
      <Typography variant="body2" color="textSecondary">
        The longest prefix wins, for the same prefix the network, and for the same network the purpose. A
        price that is left empty is not in force. Nothing is saved before you save all rates.
      </Typography>
      <Pair>
        <FormField
          name="prefix"
          control={control}
          label="Prefix"
          placeholder="44"
          autoComplete="off"
          helperText="Digits from the calling code on"
          slotProps={{ htmlInput: { inputMode: "tel" }, inputLabel: { shrink: true } }}
        />
        <FormField
          name="network"
          control={control}
          label="Network"
          placeholder="All networks"
          autoComplete="off"
          helperText="Empty: all of them"
          slotProps={{
            htmlInput: { list, autoCapitalize: "none", spellCheck: false },
            inputLabel: { shrink: true },
          }}
        />
      </Pair>
      <datalist id={list}>
        {networks.map((it) => (
          <option key={it} value={it}>
            {networkName(it)}
          </option>
        ))}
      </datalist>
      <Controller
        name="purpose"
        control={control}
        render={({ field: { ref, ...field } }) => (
          <DefaultPurpose {...field} inputRef={ref} label="For" none="All" helperText={FOR} />
        )}
      />
      <Pair>
        <FormField
          name="espees"
          control={control}
          label="A page in ESPEES"
          autoComplete="off"
          slotProps={decimal}
        />
        <FormField
          name="naira"
          control={control}
          label="A page in Naira"
          autoComplete="off"
          slotProps={decimal}
        />
      </Pair>
    </FormDialog>
  );
}

function Pair({ children }: { children: React.ReactNode }) {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>{children}</Box>
  );
}
