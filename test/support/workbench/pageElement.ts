import { errors, type Locator } from 'playwright-core';

/**
 * The parts of an element inside the page that the helpers use; the DOM's own types would leak into the whole program.
 */
export interface PageElement {
  textContent: string | null;
  outerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  addEventListener(
    type: string,
    listener: (event: PageEvent) => void,
    options: { capture: boolean; signal?: AbortSignal },
  ): void;
  focus(): void;
  closest(selector: string): PageElement | null;
  getBoundingClientRect(): { top: number; right: number };
  querySelector(selector: string): PageElement | null;
}

/** As {@link PageElement}, for events. */
export interface PageEvent {
  readonly target: PageElement;
  preventDefault(): void;
  stopImmediatePropagation(): void;
}

/** Returns a pattern for Playwright's `hasText` that matches only the whole text of an element, not a part of it. */
export function exactly(text: string): RegExp {
  const escaped = text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  // The editor draws spaces as no-break spaces.
  return new RegExp(`^\\s*${escaped.replaceAll(/\s/g, '\\s')}\\s*$`);
}

/** Returns a text as a user reads it: the editor draws many spaces as no-break spaces. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

/** Resolves with true if `begun` succeeds and with false if it times out; rejects if it fails otherwise. */
export async function within(begun: Promise<void>): Promise<boolean> {
  try {
    await begun;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/**
 * Clicks the middle of an element, or times out without a click. Playwright's own click with a time limit may still
 * arrive after that, and meets what is there by then.
 */
export async function clickWithin(
  element: Locator,
  limitMs: number,
  button: 'left' | 'right' = 'left',
): Promise<void> {
  await element.click({ trial: true, timeout: limitMs });
  const box = await element.boundingBox({ timeout: limitMs });
  if (!box) throw new errors.TimeoutError('The element is no longer drawn.');
  await element.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button });
}
