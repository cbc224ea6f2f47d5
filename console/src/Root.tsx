// What surrounds every page: the end of a session, scrolling, a line while a page loads, and what to show when one breaks.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useNavigation,
  useRouteError,
} from "react-router-dom";
import { returnTo } from "./api/returnTo";
import { ENDED, session, useSession } from "./api/session";
import { usePart } from "./design/part";
import { useTitle } from "./design/title";
import { toast } from "./design/toasts";
import styles from "./Root.module.css";

export function Root() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const loading = useNavigation().state === "loading";
  const { pathname } = useLocation();

  const left = useRef<number>(undefined);
  useEffect(() => {
    if (loading) left.current = performance.now();
  }, [loading]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page opens
  useEffect(() => {
    toast.turnPage(left.current);
    left.current = undefined;
  }, [pathname]);
  useEffect(
    () =>
      session.onEnd((why) => {
        client.removeQueries({ queryKey: ["own"] });
        const { pathname, search } = window.location;
        returnTo.keep(pathname + search);
        navigate("/");
        // One notice: what else fails because of it has nothing to add.
        toast.only(ENDED[why]);
      }),
    [navigate, client],
  );

  return (
    <>
      {loading && <div className={styles.progress} role="progressbar" aria-label="Loading the page" />}
      <Outlet />
      <SignIn />
      <PageAnnouncer />
      <ScrollRestoration />
    </>
  );
}

/** Opens over the first page for those who were sent there from another one. */
function SignIn() {
  const { pathname } = useLocation();
  const signedIn = useSession() !== null;
  const [, setClosed] = useState(0);
  const target = returnTo.peek();
  // Arrived.
  useEffect(() => {
    if (signedIn && pathname.startsWith("/dashboard")) returnTo.drop();
  }, [signedIn, pathname]);
  const isWanted = !signedIn && pathname === "/" && target !== null;
  const { Component: SignInDialog, want } = usePart(() => import("./app/auth/SignInDialog"));
  // Where it does not come, the page's own way to sign in leads to the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time
  useEffect(() => {
    if (isWanted) void want();
  }, [isWanted]);
  if (!isWanted || !SignInDialog) return null;
  const close = () => {
    returnTo.drop();
    setClosed((count) => count + 1);
  };
  return <SignInDialog target={target} onClose={close} />;
}

/** Tells screen readers that another page is there: a change of address is silent otherwise. */
function PageAnnouncer() {
  const { pathname } = useLocation();
  const [title, setTitle] = useState("");
  const first = useRef(pathname);
  useEffect(() => {
    if (first.current === pathname) return;
    first.current = "";
    // After the page has set its title.
    const soon = window.setTimeout(() => setTitle(document.title), 300);
    return () => window.clearTimeout(soon);
  }, [pathname]);
  return (
    <p className="visually-hidden" role="status">
      {title}
    </p>
  );
}

export function RootLoading() {
  return <div className={styles.progress} role="progressbar" aria-label="Loading the page" />;
}

export function RootError() {
  const error = useRouteError();
  useTitle("Something broke");
  // After a release the files of the old one are gone: a reload finds the new ones.
  const stale = error instanceof TypeError && /import|module|fetch/i.test(error.message);
  return (
    <main className={styles.broken}>
      <h1>{stale ? "There is a newer version" : "Something broke on this page"}</h1>
      <p>
        {stale
          ? "Load the page again to get it. Nothing you sent is lost."
          : "Nothing you sent is lost. Load the page again; if it breaks again, tell us what you did."}
      </p>
      <button type="button" onClick={() => window.location.reload()}>
        Load again
      </button>
      <a href="/">Go to the home page</a>
    </main>
  );
}
