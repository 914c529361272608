import { errors } from 'playwright-core';

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
    listener: (event: { target: PageElement }) => void,
    options: { capture: boolean },
  ): void;
  closest(selector: string): PageElement | null;
  getBoundingClientRect(): { top: number; right: number };
  querySelector(selector: string): PageElement | null;
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
