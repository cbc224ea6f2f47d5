// A talkdrumd of our own for a file of tests: sandbox, a free port, a fresh data directory, an administrator. It serves the
// pages itself: a debug build reads them from ../dist. Ends with the file.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BINARIES = join(import.meta.dirname, "../../target/debug");
export const TALKDRUMD = process.env.TALKDRUMD ?? join(BINARIES, "talkdrumd");
export const TALKDRUM = process.env.TALKDRUM ?? join(BINARIES, "talkdrum");

export const ADMIN = { username: "admin", email: "admin@example.com", password: "correct-horse-battery" };
export const PASSWORD = "a-long-enough-password";

export interface Customer {
  id: number;
  name: string;
  username: string;
  email: string;
  phone: string;
  password: string;
  token: string;
}

interface Sent {
  to: string;
  channel: "sms" | "email";
  subject: string;
  text: string;
  at: string;
}

export class Daemon {
  private made = 0;
  private adminToken: string | null = null;

  private constructor(
    /** Where it serves pages and API. */
    readonly url: string,
    private readonly process: ChildProcess,
    readonly data: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** In its sandbox, unless it is given a configuration with carriers of its own. `fill` is SQL for its fresh database. */
  static async start(config?: string, fill?: string): Promise<Daemon> {
    const data = mkdtempSync(join(tmpdir(), "talkdrum-e2e-"));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...process.env,
      TALKDRUM_DATA_DIR: data,
      TALKDRUM_LISTEN: `127.0.0.1:${port}`,
      // Where payers come back to.
      TALKDRUM__SERVER__PUBLIC_URL: url,
    };
    execFileSync(
      TALKDRUMD,
      ["create-admin", "--username", ADMIN.username, "--email", ADMIN.email, "--password-stdin"],
      { env, input: ADMIN.password, stdio: ["pipe", "ignore", "pipe"] },
    );
    if (fill) sqlite(join(data, "talkdrum.db"), fill);
    const file = join(data, "talkdrum.toml");
    if (config) writeFileSync(file, config);
    const how = config ? ["--config", file] : ["--sandbox"];
    const child = spawn(TALKDRUMD, ["serve", ...how], { env, stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    child.stderr?.on("data", (piece: Buffer) => {
      log = (log + piece.toString()).slice(-20_000);
      writeFileSync(join(data, "talkdrumd.log"), log);
    });
    await until(
      () => ready(url),
      30_000,
      () => `talkdrumd did not get ready:\n${log}`,
    );
    return new Daemon(url, child, data, env);
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.process.once("exit", done));
    this.process.kill("SIGTERM");
    await Promise.race([gone, new Promise((done) => setTimeout(done, 10_000))]);
    this.process.kill("SIGKILL");
    rmSync(this.data, { recursive: true, force: true });
  }

  /** Has the ledger checked, as an operator's cron does; fails with what it finds. */
  check(): void {
    execFileSync(TALKDRUMD, ["check"], { env: this.env, stdio: "pipe", timeout: 60_000 });
  }

  /** A call, as JSON; fails with the daemon's words. */
  async call<T>(method: string, path: string, token = "", body?: unknown): Promise<T> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : null) as T;
  }

  /** The administrator's token. */
  async admin(): Promise<string> {
    this.adminToken ??= (await this.call<{ token: string }>("POST", "/admin/admin-login", "", ADMIN)).token;
    return this.adminToken;
  }

  /** A customer who is verified and signed in by the API, with money and prices set. */
  async customer(
    money: { naira?: number; espees?: number } = { naira: 10_000, espees: 1_000 },
  ): Promise<Customer> {
    const admin = await this.admin();
    const number = ++this.made;
    const username = `customer${number}`;
    const phone = `0803${String(1_000_000 + number)}`;
    const who = {
      name: `Customer ${number}`,
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
    };
    const { user } = await this.call<{ user: { id: number } }>("POST", "/admin/users", admin, {
      ...who,
      phone_number: phone,
    });
    if (money.naira)
      await this.call("POST", `/admin/assign-naira/${user.id}`, admin, { amount: money.naira });
    if (money.espees) {
      const credit = { espees: money.espees, payment_ref: `e2e-${user.id}` };
      await this.call("POST", `/admin/assign-espee/${user.id}`, admin, credit);
    }
    return { id: user.id, phone, token: await this.login(username), ...who };
  }

  /** The token of a new session of a customer. */
  async login(username: string): Promise<string> {
    const who = { username, password: PASSWORD };
    return (await this.call<{ token: string }>("POST", "/api/login", "", who)).token;
  }

  /** Prices, without which no quote is given; abroad it costs ten times as much. */
  async setPrices(naira = 4.5, espees = 0.01): Promise<void> {
    const admin = await this.admin();
    await this.call("POST", "/admin/set-sms-unit-price", admin, { price: espees });
    await this.call("POST", "/admin/set-sms-unit-price-naira", admin, { price: naira });
    await this.call("POST", "/admin/set-sms-abroad-unit-price", admin, { price: tenfold(espees) });
    await this.call("POST", "/admin/set-sms-abroad-unit-price-naira", admin, { price: tenfold(naira) });
  }

  /** Lets a customer's large sends go out unseen, as an administrator does who knows them. */
  async trust(customer: Customer): Promise<void> {
    await this.call("PUT", `/admin/users/${customer.id}/limits`, await this.admin(), { proven: true });
  }

  /** Runs SQL beside the daemon: for what only time does. */
  sql(text: string): void {
    sqlite(join(this.data, "talkdrum.db"), `PRAGMA busy_timeout = 20000;\n${text}`);
  }

  outbox(): Promise<Sent[]> {
    return this.call("GET", "/sandbox/outbox");
  }

  /** The newest six-digit code sent to an e-mail address, or to a phone number in any form. Waits for it. */
  async code(to: string, unlike = ""): Promise<string> {
    let found = "";
    const wanted = to.includes("@") ? to : to.replace(/\D/g, "").slice(-10);
    await until(
      async () => {
        const sent = (await this.outbox()).filter((it) => it.to.endsWith(wanted)).at(-1);
        found = sent ? (/\b\d{6}\b/.exec(sent.text)?.[0] ?? "") : "";
        return found !== "" && found !== unlike;
      },
      10_000,
      () => `no code came to ${to}`,
    );
    return found;
  }
}

/** In whole micro-units, as the daemon takes prices. */
const tenfold = (price: number) => Math.round(price * 10_000_000) / 1_000_000;

/** What no call makes thousands of. Node has SQLite from its 22nd version on, which we do not ask for. */
function sqlite(file: string, sql: string): void {
  try {
    execFileSync("sqlite3", ["-bail", file], { input: sql, stdio: ["pipe", "ignore", "pipe"] });
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "ENOENT") throw problem;
    const script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.stdin.read())";
    execFileSync("python3", ["-c", script, file], { input: sql, stdio: ["pipe", "ignore", "pipe"] });
  }
}

async function ready(api: string): Promise<boolean> {
  return fetch(`${api}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function until(done: () => Promise<boolean>, ms: number, otherwise: () => string): Promise<void> {
  const end = Date.now() + ms;
  while (!(await done())) {
    if (Date.now() > end) throw new Error(otherwise());
    await new Promise((next) => setTimeout(next, 100));
  }
}

/** A port below those that a system gives out by itself: what a daemon takes for its sandbox is never the one it was told
 * to listen on. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(port)) return port;
  }
  throw new Error("no port between 20000 and 30000 is free");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once("error", () => answer(false));
    server.listen(port, "127.0.0.1", () => server.close(() => answer(true)));
  });
}
