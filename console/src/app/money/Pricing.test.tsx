import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import Pricing from "./Pricing";

test("while nothing is written it says where a price is seen", async () => {
  signedIn();
  answers("get", "/api/get-about-us", { "About-Us": [] });
  answers("get", "/api/get-sms-unit-price", { "SMS-UNIT-PRICE": [] });
  show(<Pricing />);
  expect(await screen.findByRole("link", { name: "Write a campaign" })).toHaveAttribute(
    "href",
    "/dashboard/compose-sms",
  );
});
