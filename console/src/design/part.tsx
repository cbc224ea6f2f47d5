// A part of a page that is fetched when it is first asked for: a dialog, an editor. What did not come is told, and is fetched
// again the next time: `lazy` of React would keep the failure until the page is loaded again.
import { type ComponentType, useRef, useState } from "react";
import { ApiProblem, messageOf } from "../api/problem";
import { toast } from "./toasts";

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

// After a release the files of the old one are gone: only a reload finds the new ones.
const NOT_LOADED =
  "This could not be loaded. Check your connection and try again; if it fails again, reload the page.";

export async function fetchPart<P>(load: Load<P>): Promise<ComponentType<P>> {
  try {
    return (await load()).default;
  } catch {
    throw new ApiProblem(0, "not_loaded", NOT_LOADED);
  }
}

export interface Part<P> {
  /** Null until it is there. */
  Component: ComponentType<P> | null;
  isLoading: boolean;
  /** Fetches it, unless it is there; false where it did not come, which is told. */
  want: () => Promise<boolean>;
}

export function usePart<P>(load: Load<P>): Part<P> {
  const [loaded, setLoaded] = useState<{ Component: ComponentType<P> } | null>(null);
  const [isLoading, setLoading] = useState(false);
  /** The one fetch, however often it is asked for meanwhile. */
  const fetching = useRef<Promise<boolean>>(undefined);
  const fetchIt = async () => {
    setLoading(true);
    try {
      const Component = await fetchPart(load);
      setLoaded({ Component });
      return true;
    } catch (thrown) {
      toast.error(messageOf(thrown));
      return false;
    } finally {
      fetching.current = undefined;
      setLoading(false);
    }
  };
  return {
    Component: loaded?.Component ?? null,
    isLoading,
    want: async () => {
      if (loaded) return true;
      fetching.current ??= fetchIt();
      return fetching.current;
    },
  };
}
