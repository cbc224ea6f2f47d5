// A page's title and description. The first page's are in index.html; both are put back when a page goes.
import { useEffect } from "react";

const FIRST_TITLE = document.title;

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? FIRST_TITLE : `${title} · Talkdrum`;
  }, [title]);
}

/** For search engines: public pages say what they are about. */
export function useDescription(text: string): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="description"]');
    if (!meta) return;
    const first = meta.content;
    meta.content = text;
    return () => {
      meta.content = first;
    };
  }, [text]);
}
