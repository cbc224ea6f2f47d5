// What surrounds every public page: contact bar, header that stays, drawer on small screens, footer. No MUI here.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router-dom";
import { contactQuery } from "../api/queries";
import { useSession } from "../api/session";
import { Mark } from "../design/Logo";
import { MaintenanceGate } from "../design/Maintenance";
import { SandboxBadge } from "../design/Sandbox";
import { SchemeSwitch } from "../design/SchemeSwitch";
import { useKingsChat } from "../design/useKingsChat";
import { Wave } from "./ContactEntries";
import { NAME, POWERED_BY } from "./content/site";
import { Icon } from "./Icon";
import styles from "./SiteLayout.module.css";

const LINKS = [
  { to: "/", label: "Home" },
  { to: "/#about-us", label: "About" },
  { to: "/#service", label: "Service" },
  { to: "/#contact", label: "Contact" },
];

export function SiteLayout() {
  return (
    <MaintenanceGate>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <ContactBar />
      <Header />
      <main id="content" tabIndex={-1} className={styles.content}>
        <Outlet />
      </main>
      <Footer />
    </MaintenanceGate>
  );
}

/** Ways to the operator, where they are set: on a fresh install the page of all contacts is named instead. */
function ContactBar() {
  const { data, isPending } = useQuery(contactQuery);
  return (
    <aside className={styles.bar} aria-label="Contact">
      {isPending && (
        <span>
          <Wave width={160} />
        </span>
      )}
      {data?.email && (
        <span>
          <Icon name="mail" size={16} />
          <span className="visually-hidden">E-mail: </span>
          <a href={`mailto:${data.email}`}>{data.email}</a>
        </span>
      )}
      {data?.phone && (
        <span>
          <Icon name="phone" size={16} />
          <span className="visually-hidden">Phone: </span>
          <a href={`tel:${data.phone}`}>{data.phone}</a>
        </span>
      )}
      {!isPending && !data?.email && !data?.phone && (
        <span>Bulk SMS and voice, with the price before you pay</span>
      )}
      <div className={styles.sandboxWide}>
        <SandboxBadge />
      </div>
    </aside>
  );
}

function Header() {
  const drawer = useRef<HTMLDialogElement>(null);
  const location = useLocation();
  const close = () => drawer.current?.close();
  // Whatever address was chosen, also by the browser's own buttons.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the reason
  useEffect(close, [location]);
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link to="/" className={styles.brand}>
          <Mark size={28} />
          {NAME}
        </Link>
        <div className={styles.sandboxNarrow}>
          <SandboxBadge />
        </div>
        <nav className={styles.links} aria-label="Main">
          <NavLinks />
        </nav>
        <div className={styles.doors}>
          <Doors />
        </div>
        <button
          type="button"
          className={styles.opener}
          aria-haspopup="dialog"
          aria-label="Open the menu"
          onClick={() => drawer.current?.showModal()}
        >
          <Icon name="menu" />
        </button>
      </div>
      {/* A dialog of the browser's own: it traps the focus and closes by Escape. */}
      <dialog
        ref={drawer}
        className={styles.drawer}
        aria-label="Menu"
        onClick={(event) => {
          if (event.target === drawer.current) close();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
      >
        <div className={styles.sheet}>
          <button type="button" className={styles.opener} aria-label="Close the menu" onClick={close}>
            <Icon name="close" />
          </button>
          <nav aria-label="Menu">
            <NavLinks onChoose={close} />
          </nav>
          <Doors />
        </div>
      </dialog>
    </header>
  );
}

function NavLinks({ onChoose }: { onChoose?: () => void }) {
  return LINKS.map(({ to, label }) => (
    <Link key={to} to={to} onClick={onChoose}>
      {label}
    </Link>
  ));
}

/** The ways in: by chat app, by form, or on to the dashboard. */
function Doors() {
  const current = useSession();
  const { offered, busy, enter } = useKingsChat();
  if (current) {
    return (
      <Link className={styles.main} to={current.user.role === "admin" ? "/dashboard/admin" : "/dashboard"}>
        Dashboard
      </Link>
    );
  }
  return (
    <>
      <button
        type="button"
        className={styles.second}
        onClick={enter}
        disabled={busy}
        // Keeps its place until it is known, so that nothing moves.
        style={offered === false ? { display: "none" } : offered ? undefined : { visibility: "hidden" }}
      >
        Login with KingsChat
      </button>
      <Link className={styles.main} to="/auth/login">
        Login/Register
      </Link>
    </>
  );
}

function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <span className={styles.brand}>
          <Mark size={24} />
          {NAME}
        </span>
        <nav aria-label="More">
          <Link to="/about">About us</Link>
          <Link to="/contact">Contact us</Link>
          <Link to="/privacy-policy">Privacy policy</Link>
          <Link to="/terms">Terms</Link>
        </nav>
        <SchemeSwitch />
        <p>
          © {new Date().getFullYear()} {NAME}. {POWERED_BY}.
        </p>
      </div>
    </footer>
  );
}
