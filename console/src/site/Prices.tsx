// What it costs: the price list as it is set, and a sum for any number of recipients. Whole micro-units, as everywhere; the
// quote says what a campaign costs to the last digit.
import { useQuery } from "@tanstack/react-query";
import { Fragment, useId, useState } from "react";
import { Link } from "react-router-dom";
import { api, ask } from "../api/client";
import { ratesQuery } from "../api/queries";
import { type Costs, type Destination, destinationsOf, type OwnCosts } from "../design/destinations";
import { amountOf, type Currency, formatUnitPrice, formatWhole, micros } from "../design/money";
import { PURPOSES } from "../design/purpose";
import styles from "./Prices.module.css";

interface Price extends Costs {
  name: string;
  unit: string;
  /** Of messages for other purposes, where they cost something else. */
  others?: readonly OwnCosts[];
}

const HOME = "SMS in Nigeria";
const ABROAD = "SMS abroad";

const first = (records: readonly { value: number }[] | undefined) => {
  const value = records?.[0]?.value;
  return value === undefined ? null : micros(value);
};

const pricesQuery = {
  queryKey: ["open", "prices"],
  queryFn: async (): Promise<Price[]> => {
    const [page, pulse] = await Promise.all([
      ask(api.GET("/api/get-sms-unit-price")),
      ask(api.GET("/api/get-voice-unit-price")),
    ]);
    const all: Price[] = [
      {
        name: HOME,
        unit: "page",
        naira: first(page["SMS-UNIT-PRICE-IN-NAIRA"]),
        espees: first(page["SMS-UNIT-PRICE"]),
      },
      {
        name: ABROAD,
        unit: "page",
        naira: first(page["SMS-ABROAD-UNIT-PRICE-IN-NAIRA"]),
        espees: first(page["SMS-ABROAD-UNIT-PRICE"]),
      },
      {
        name: "Voice, answered calls only",
        unit: "pulse",
        naira: first(pulse["VOICE-UNIT-PRICE-NAIRA"]),
        espees: first(pulse["VOICE-UNIT-PRICE"]),
      },
    ];
    return all.filter((it) => it.naira !== null || it.espees !== null);
  },
  staleTime: 5 * 60_000,
};

const MOST = 10_000_000;

/** `units` of a price for so many recipients; null where they are no whole number that is sent at once. */
export function sumOf(price: bigint, recipients: string, units: number): string | null {
  const digits = recipients.replace(/[,\s]/g, "");
  const many = Number(digits);
  if (!/^\d+$/.test(digits) || many < 1 || many > MOST) return null;
  return amountOf(price * BigInt(many) * BigInt(units));
}

export function Prices() {
  const { data } = useQuery(pricesQuery);
  const { data: rates = [] } = useQuery(ratesQuery());
  // Where none is set there is nothing to say: no page shows a price that is not one.
  if (!data || data.length === 0) return null;
  const of = (name: string) => data.find((it) => it.name === name) ?? { naira: null, espees: null };
  const destinations = destinationsOf(rates, of(HOME), of(ABROAD));
  return (
    <section id="prices" className={styles.part} aria-labelledby="prices-title">
      <h2 id="prices-title">What it costs</h2>
      <p className={styles.lead}>
        No subscription and no minimum: you pay by the page and by the pulse. What is rejected or not answered
        is refunded.
      </p>
      <div className={styles.sides}>
        <table className={styles.list}>
          <thead>
            <tr>
              <th scope="col">Price list</th>
              <th scope="col">Naira</th>
              <th scope="col">ESPEES</th>
            </tr>
          </thead>
          <tbody>
            {data.map((it) => (
              <tr key={it.name}>
                <th scope="row">
                  {it.name}
                  <span>a {it.unit}</span>
                </th>
                <Amounts of={it} />
              </tr>
            ))}
          </tbody>
        </table>
        <Calculator prices={data} destinations={destinations} />
      </div>
      {destinations.length > 0 && <Destinations of={destinations} />}
    </section>
  );
}

function Amounts({ of }: { of: Costs }) {
  return (["naira", "espees"] as const).map((it) => (
    <td key={it}>{of[it] === null ? "-" : formatUnitPrice(amountOf(of[it]), it)}</td>
  ));
}

/** What fits beside the rest without being in its way. */
const OPEN_MOST = 10;

function Destinations({ of }: { of: readonly Destination[] }) {
  return (
    <details className={styles.destinations} open={of.length <= OPEN_MOST}>
      <summary>SMS by destination</summary>
      <p>
        What a page costs to numbers that begin with these digits; the longest that fits counts. All others
        cost what the list above says.
        {of.some((it) => it.others.length > 0) &&
          ` ${PURPOSES.transactional.name} come first, and below them what costs something else there.`}
      </p>
      {/* A region that scrolls can be reached and scrolled by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className={styles.scroll} tabIndex={0} aria-label="SMS by destination">
        <table className={styles.list}>
          <thead>
            <tr>
              <th scope="col">To</th>
              <th scope="col">Naira</th>
              <th scope="col">ESPEES</th>
            </tr>
          </thead>
          <tbody>
            {of.map((it) => (
              <Fragment key={it.name}>
                <tr>
                  <th scope="row">{it.name}</th>
                  <Amounts of={it} />
                </tr>
                {it.others.map((other) => (
                  <tr key={other.purpose} className={styles.other}>
                    <th scope="row" aria-label={`${it.name}: ${PURPOSES[other.purpose].name}`}>
                      {PURPOSES[other.purpose].name}
                    </th>
                    <Amounts of={other} />
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

interface CalculatorProps {
  prices: readonly Price[];
  destinations: readonly Destination[];
}

function Calculator({ prices, destinations }: CalculatorProps) {
  const id = useId();
  const [recipients, setRecipients] = useState("10,000");
  const [name, setName] = useState(prices[0]?.name ?? "");
  const [units, setUnits] = useState(1);
  const others = destinations
    .filter((it) => it.naira !== null || it.espees !== null)
    .map((it): Price => ({ ...it, name: `SMS to ${it.name}`, unit: "page" }));
  const price = [...prices, ...others].find((it) => it.name === name) ?? prices[0];
  if (!price) return null;
  const sumsOf = (costs: Costs) =>
    (["naira", "espees"] as const).flatMap((currency: Currency) => {
      const each = costs[currency];
      const sum = each === null ? null : sumOf(each, recipients, units);
      return sum === null ? [] : [formatWhole(sum, currency)];
    });
  const sums = sumsOf(price);
  const otherSums = (price.others ?? []).map((it) => ({ ...it, sums: sumsOf(it) }));
  return (
    <form className={styles.calculator} onSubmit={(event) => event.preventDefault()}>
      <h3>What your send costs</h3>
      <label htmlFor={`${id}what`}>What</label>
      <select id={`${id}what`} value={price.name} onChange={(event) => setName(event.target.value)}>
        {prices.map((it) => (
          <option key={it.name}>{it.name}</option>
        ))}
        {others.length > 0 && (
          <optgroup label="By destination">
            {others.map((it) => (
              <option key={it.name}>{it.name}</option>
            ))}
          </optgroup>
        )}
      </select>
      <div className={styles.two}>
        <div>
          <label htmlFor={`${id}many`}>Recipients</label>
          <input
            id={`${id}many`}
            inputMode="numeric"
            autoComplete="off"
            value={recipients}
            onChange={(event) => setRecipients(event.target.value)}
          />
        </div>
        <div>
          <label htmlFor={`${id}units`}>{price.unit === "page" ? "Pages each" : "Pulses each"}</label>
          <select id={`${id}units`} value={units} onChange={(event) => setUnits(Number(event.target.value))}>
            {[1, 2, 3, 4, 5, 6].map((it) => (
              <option key={it}>{it}</option>
            ))}
          </select>
        </div>
      </div>
      <output htmlFor={`${id}many ${id}units ${id}what`} aria-live="polite">
        {sums.length > 0 ? (
          <>
            <strong>{sums[0]}</strong>
            {sums[1] && <span>or {sums[1]}</span>}
            {otherSums.map(
              (it) =>
                it.sums.length > 0 && (
                  <span key={it.purpose} className={styles.line}>
                    {PURPOSES[it.purpose].name}: {it.sums.join(" or ")}
                  </span>
                ),
            )}
          </>
        ) : (
          <span>Write a whole number of recipients, at most {MOST.toLocaleString("en")}.</span>
        )}
      </output>
      <Link className={styles.main} to="/auth/register">
        Create an account
      </Link>
    </form>
  );
}
