// What an operator replaces first: names, figures and short texts of the public site. Nothing here is read by the
// platform; the contact details come from its settings.

export const NAME = "Talkdrum";

/** The footer's line. */
export const POWERED_BY = "Powered by Talkdrum";

export const HERO = {
  title: "Every customer, one message, no surprises.",
  text: "Bulk SMS and voice messages for businesses in Nigeria and abroad. See what it costs before you pay, watch every message and call go out, and know who was not reached and why.",
};

export const ABOUT = {
  title: "Built for the person who answers for the send",
  paragraphs: [
    "A school that tells parents it is closed tomorrow. A bank that reminds of a payment. A shop with a sale that ends on Saturday. They write to thousands at once, or call them, and one person has to know what it costs and whether it arrived.",
    "Talkdrum is made for that person. It cleans the list before it counts, shows the whole price before anything is charged, and keeps a record of every message, every call and every kobo afterwards.",
  ],
  promises: [
    {
      title: "Sent once",
      text: "Paid messages are sent once, or refunded, or shown as open until someone decides. Never twice.",
    },
    {
      title: "The quote is the price",
      text: "What you confirm is what you pay. Messages that no network takes are refunded in full. For calls it is the most you pay: what is not used is refunded.",
    },
    {
      title: "Every kobo explained",
      text: "Ask why you were charged for any message or call, and see each entry of its money.",
    },
  ],
};

/** Fixed marketing figures of the specification. */
export const STATS = [
  { figure: 100_000, label: "messages sent daily", suffix: "" },
  { figure: 765, label: "businesses served", suffix: "" },
  { figure: 6_532, label: "active users", suffix: "" },
  { figure: 99, label: "uptime", suffix: "%" },
];

export const SERVICE = {
  title: "Why Choose Us",
  text: "What you need to reach thousands of people, without a spreadsheet on the side.",
  cards: [
    {
      icon: "networks",
      title: "All four networks, and abroad",
      text: "MTN, Airtel, Glo and 9mobile, and many networks in other countries.",
    },
    {
      icon: "extract",
      title: "Numbers out of any text",
      text: "Paste a list, an e-mail or a whole page: the phone numbers in it are found, cleaned and counted once.",
    },
    {
      icon: "report",
      title: "Delivery reports",
      text: "Who got it, who did not and why, by number and by network. Download it for your own records.",
    },
    {
      icon: "dispatch",
      title: "Thousands at once",
      text: "Dispatch begins the moment you confirm, on fast and secure premium routes.",
    },
    {
      icon: "schedule",
      title: "Scheduled",
      text: "Choose the day and the minute, or several of them. Cancel before it starts and nothing is charged.",
    },
    {
      icon: "phonebook",
      title: "Phonebook and groups",
      text: "Keep contacts in groups and import them from text or CSV files. Numbers that opted out are left out.",
    },
    {
      icon: "sender",
      title: "Your own sender name",
      text: "Up to 11 characters or 14 digits. Requests are free and decided in 10 minutes to 24 hours.",
    },
    {
      icon: "pages",
      title: "Long messages",
      text: "Up to six pages of 156 characters, with the count shown as you write.",
    },
    {
      icon: "voice",
      title: "Voice messages",
      text: "Each number is called and hears it: a text spoken in one of four voices, your own MP3, or a recording you used before.",
    },
    {
      icon: "answered",
      title: "Pay for answered calls",
      text: "From your Naira or your ESPEES balance, by the pulse from the answer on. A call that is not answered costs nothing.",
    },
    {
      icon: "keys",
      title: "Keys they press",
      text: "See who answered, how much of the message each heard, and which keys were pressed.",
    },
    { icon: "support", title: "Support 24/7", text: "People who can look into your send, at any hour." },
  ],
} as const;

export type ServiceIcon = (typeof SERVICE)["cards"][number]["icon"];
