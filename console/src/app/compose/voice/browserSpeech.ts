// The browser's own speech, where the server cannot be heard.

/** The specification's text. */
export const NO_SPEECH = "Sorry, your browser does not support text to speech!";

/** Says a text by the browser, in the accent of one of our voices; answers whether there is such a thing. */
export function sayByBrowser(text: string, voice: string): boolean {
  if (!("speechSynthesis" in window) || typeof SpeechSynthesisUtterance === "undefined") return false;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = voice.startsWith("us-") ? "en-US" : "en-GB";
  window.speechSynthesis.cancel();
  window.speechSynthesis.speak(said);
  return true;
}
