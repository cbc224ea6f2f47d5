import { expect, test } from "vitest";
import { i18nProvider } from "./messages";
import { filled } from "./translate";

test.each([
  ["1 item |||| %{smart_count} items", { smart_count: 1 }, "1 item"],
  ["1 item |||| %{smart_count} items", { smart_count: 0 }, "0 items"],
  ["1 item |||| %{smart_count} items", { smart_count: 7 }, "7 items"],
  ["Delete %{name}", { name: "Ada" }, "Delete Ada"],
  ["Delete %{name}", {}, "Delete %{name}"],
  ["No forms: %{smart_count}", { smart_count: 3 }, "No forms: 3"],
  ["%{name} costs $& and %{name}", { name: "$1" }, "$1 costs $& and $1"],
])("%j with %j is %j", (text, given, said) => {
  expect(filled(text, given)).toBe(said);
});

test("a text is found by its key, ours before react-admin's, and a key without one is given back", () => {
  const { translate } = i18nProvider;
  expect(translate("ra.action.add_filter")).toBe("Add filter");
  expect(translate("ra.message.invalid_form")).toBe("Something is missing or wrong: see the marked fields");
  expect(translate("resources.set-pricing.notifications.updated")).toBe(
    "Pricing write up updated successfully!",
  );
  expect(translate("ra.notification.updated", { smart_count: 2 })).toBe("2 elements updated");
  expect(translate("The daemon's own words")).toBe("The daemon's own words");
  expect(translate("no.such.key", { _: "%{n} of all", n: 4 })).toBe("4 of all");
  // A label that is not given is no text, and no failure.
  expect(filled(undefined, { smart_count: 2 })).toBe("");
  expect(translate(undefined as never)).toBe("");
  // Keys of objects are no texts.
  expect(translate("ra.action")).toBe("ra.action");
});
