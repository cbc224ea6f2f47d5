// What react-admin needs to speak one language: texts by dotted keys, with figures in them and a form for one and for many.
import type { I18nProvider } from "react-admin";

type Texts = { [key: string]: string | Texts };

const FORMS = "||||";

/** Of nothing, nothing: react-admin asks for labels that are not given, too. `1 row |||| %{smart_count} rows` for so many, and each `%{name}` as it is given; what is not given stays. */
export function filled(text: string | undefined, given: Record<string, unknown>): string {
  if (text == null) return "";
  const many = given.smart_count;
  const forms = text.split(FORMS);
  const form = many == null ? text : ((Number(many) === 1 ? forms[0] : forms[1]) ?? text).trim();
  return form.replace(/%\{(.*?)\}/g, (whole, name: string) =>
    given[name] == null ? whole : String(given[name]),
  );
}

export function speak(texts: Texts): I18nProvider {
  const flat = new Map(flatten(texts));
  return {
    // A key without a text is its own, unless the caller has one.
    translate: (key: string | undefined, { _, ...given }: { _?: unknown } & Record<string, unknown> = {}) =>
      filled(flat.get(key ?? "") ?? (typeof _ === "string" ? _ : key), given),
    changeLocale: () => Promise.resolve(),
    getLocale: () => "en",
    getLocales: () => [{ locale: "en", name: "English" }],
  };
}

function flatten(texts: Texts, above = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === "string" ? [[above + key, text]] : flatten(text, `${above}${key}.`),
  );
}
