// Questions of the first page.

export const FAQ = [
  {
    question: "How does it work?",
    answer:
      "Create an account, prove your phone number, and fund your account. Then write your message or upload a recording, choose or paste your recipients, and look at the quote: the number of people, the duplicates removed and the exact total. Nothing is sent or charged before you confirm it.",
  },
  {
    question: "Is there a limit to the number of recipients?",
    answer: "No. The only limit is your available credit.",
  },
  {
    question: "How secure is it?",
    answer:
      "Passwords are stored as hashes that cannot be turned back, sessions end when they are not used, and your contacts are visible to your account only. Messages and calls leave over the operator's contracted routes.",
  },
  {
    question: "Can I schedule a message?",
    answer:
      "Yes, for any minute of the next year, and for several times at once. Until a scheduled message starts you can cancel it and get the whole amount back.",
  },
  {
    question: "Can it call people, too?",
    answer:
      "Yes. A voice message is a text that is spoken, an MP3 that you upload, or one of your past recordings. You can hear it first and have your own phone called as a test. The report shows who answered, how much they heard and which keys they pressed.",
  },
  {
    question: "What does a call cost?",
    answer:
      "Calls are charged by the pulse from the answer on, from your Naira or your ESPEES balance. The quote shows the most it can cost. Calls that are not answered cost nothing, and pulses that are not used are refunded.",
  },
  {
    question: "Which files can I upload contacts from?",
    answer:
      "CSV and TXT, one phone number per line. A CSV file may have more columns, such as names. What cannot be read is listed with the line and the reason, for you to fix.",
  },
  {
    question: "How do I get started?",
    answer:
      "Choose Login/Register at the top of this page, create an account, and enter the six-digit code that comes to your phone. The sender name WEBSMS is ready to use; your own name is free to request.",
  },
  {
    question: "I have no ESPEES wallet. Is there an alternative?",
    answer:
      "Not on this site: only ESPEES are accepted here, so without an ESPEES wallet there is no alternative. Once you have an account you can also keep a Naira balance, which is funded by card.",
  },
];
