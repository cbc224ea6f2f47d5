// Privacy and terms, in plain words that are true of the software as it comes. An operator adds the company's name,
// address and law before going public: what only the operator can know is not made up here.

export interface Section {
  title: string;
  text: string[];
}

export const PRIVACY: Section[] = [
  {
    title: "Who keeps your data",
    text: [
      "This site is run by the operator whose contact details are on the contact page. The software is self-hosted: your data is in the operator's database and goes to no one else, except as told below.",
    ],
  },
  {
    title: "What is kept of you",
    text: [
      "Your name, user name, e-mail address and phone number; a hash of your password, never the password; when you signed in and from which address; your balances and every entry that changed them.",
      "If you sign in by KingsChat, the id KingsChat gives your account, and the name and address it tells us.",
    ],
  },
  {
    title: "What is kept of the people you write to",
    text: [
      "The contacts you save, the messages you send, the recordings you call with, to which numbers, and what became of them, with the keys that were pressed in a call. You decide whom you write to or call and have to have the right to do so.",
      "A number that opted out is kept on the opt-out list, so that it stays left out.",
    ],
  },
  {
    title: "Who else receives it",
    text: [
      "Messages, calls and numbers go to the carriers that deliver them. Payments go to Paystack or ESPEES: card details are entered there and never reach this site.",
      "Nothing is sold, and there are no advertisements or trackers. This site loads nothing from other hosts.",
    ],
  },
  {
    title: "What is stored in your browser",
    text: [
      "Your session, in the session storage of the tab: it is gone when you close the tab or log out. While you sign in by KingsChat a short-lived cookie ties the answer to your browser. There are no other cookies.",
    ],
  },
  {
    title: "How long, and how to have it deleted",
    text: [
      "Your data is kept while you have an account. When the account is deleted the personal data goes as soon as nothing is on its way any more; the entries of money stay, without your name, because accounts have to add up.",
      "Ask for a copy, a correction or the deletion of your data by the contact page.",
    ],
  },
];

export const TERMS: Section[] = [
  {
    title: "The service",
    text: [
      "You can send text messages to the numbers you give and have them called with a voice message, now or at a time you choose. Delivery is up to the networks: a message that a network accepted may still not reach a phone that is off or does not exist.",
    ],
  },
  {
    title: "Price and payment",
    text: [
      "Before each send you are shown a quote. It is valid for 30 minutes. Confirming it reserves the amount; you never pay more than the quote.",
      "A message that no carrier accepted is refunded in full. One that was accepted and not delivered is charged, as the carriers charge for it, unless the operator has decided otherwise.",
      "Calls are charged by the pulse from their answer on. For calls the quote is the most they can cost: a call that is not answered costs nothing, and pulses that are not used are refunded.",
      "Messages are counted by pages: 156 characters a page for plain text, 70 for a single page of unicode and 67 for each of several, at most six.",
    ],
  },
  {
    title: "Credit",
    text: [
      "Payments are credited once they are confirmed by the payment provider. Credit can be transferred to another user; a transfer cannot be taken back by you.",
    ],
  },
  {
    title: "What you may send",
    text: [
      "Only to people who agreed to hear from you or whom you may lawfully write to or call. No fraud, no threats, no impersonation, nothing the law forbids. Sender names and the numbers your calls come from have to be yours; they are approved or verified before use and can be withdrawn.",
      "Promotional messages and calls may be held back during the night and leave out numbers on the Do-Not-Disturb list, where the route says so.",
    ],
  },
  {
    title: "Your account",
    text: [
      "Keep your password and API keys to yourself: what is sent with them is charged to you. An account that breaks these terms can be made inactive; its balance stays recorded.",
    ],
  },
  {
    title: "When something fails",
    text: [
      "If we cannot know whether a message went out or a call was answered, it is shown as unknown and not sent again by itself. Tell us by the contact page, and it will be settled as sent or refunded.",
    ],
  },
];
