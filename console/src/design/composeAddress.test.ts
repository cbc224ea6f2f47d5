import { expect, test } from "vitest";
import { beginningIn, composeAddress, listName } from "./composeAddress";

const read = (address: string) => beginningIn(new URLSearchParams(address.split("?")[1]));

test("an address names whom a message begins with, and is read back", () => {
  const address = composeAddress("text", { groups: [5, 6], audience: ["campaign:7:failed", "import:9"] });
  expect(address).toBe(
    "/dashboard/compose-sms?group=5&group=6&audience=campaign%3A7%3Afailed&audience=import%3A9",
  );
  expect(read(address)).toEqual({ groups: [5, 6], audience: ["campaign:7:failed", "import:9"] });
  expect(read(composeAddress("voice", { campaign: 7 }))).toEqual({ groups: [], audience: [], campaign: 7 });
  expect(composeAddress("voice", { campaign: 7 })).toBe("/dashboard/text-to-speech?campaign=7");
});

test("what is no list and no id is passed over", () => {
  expect(read("/x?group=0&group=x&audience=campaign:x&audience=import:9:failed&campaign=-1")).toBeNull();
  expect(read("/x")).toBeNull();
});

test("lists have names for people", () => {
  expect(listName("campaign:7")).toBe("The recipients of campaign 7");
  expect(listName("campaign:7:failed")).toBe("Those whom campaign 7 did not reach");
  expect(listName("campaign:7:expired")).toBe("Those of campaign 7 whose status is expired");
  expect(listName("import:9")).toBe("The numbers of import 9");
  expect(listName("quote:9")).toBeNull();
});
