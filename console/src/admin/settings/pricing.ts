// What a pricing write-up has to be.

export const HELP = "Headings, lists, links and emphasis. Pictures, colours and scripts are taken out.";

export const written = (html: unknown) =>
  typeof html === "string" && html.replace(/<[^>]*>|&nbsp;|\s/g, "") !== ""
    ? undefined
    : "Content is required";
