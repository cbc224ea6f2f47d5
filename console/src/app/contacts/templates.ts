// Files to begin with: the two forms that are taken.
export const TEMPLATES = [
  {
    name: "contacts.csv",
    label: "CSV with names",
    type: "text/csv",
    text: "phone,name,email,city\n08031234567,Ada Obi,ada@example.com,Lagos\n+447911123456,Tom Hill,tom@example.com,London\n",
  },
  {
    name: "numbers.txt",
    label: "Plain list",
    type: "text/plain",
    text: "08031234567\n08091234567\n+447911123456\n",
  },
] as const;
