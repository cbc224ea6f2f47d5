// A dialog without a mouse.
import type { Locator, Page } from "@playwright/test";
import { expect } from "./harness";

/** What has the keyboard: whether that is inside of the dialog, and whether a person sees it. */
function held(dialog: Locator) {
  return dialog.evaluate((it) => {
    const active = document.activeElement as HTMLElement;
    // A field shows it by its frame, anything else by an outline.
    const frame = active.closest(".Mui-focused, .Mui-focusVisible") ?? active;
    const { outlineStyle, outlineWidth } = getComputedStyle(frame);
    const outlined = outlineStyle !== "none" && outlineWidth !== "0px";
    return {
      inside: it.contains(active),
      seen: outlined || frame.classList.contains("Mui-focused"),
      what: active.outerHTML.slice(0, 200),
    };
  });
}

/** Opens a dialog by its button, goes round in it, and leaves it: all by keys. */
export async function openAndLeave(page: Page, button: Locator): Promise<void> {
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(dialog).toHaveAccessibleName(/\S/);
  await expect.poll(() => held(dialog).then((it) => it.inside)).toBe(true);
  for (let at = 0; at < 8; at++) {
    await page.keyboard.press("Tab");
    expect(await held(dialog)).toMatchObject({ inside: true, seen: true });
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
}
