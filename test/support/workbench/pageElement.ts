import { errors } from 'playwright-core';

/** What the helpers use of an element inside the page; the DOM's own types would leak into the whole program. */
export interface PageElement {
  textContent: string | null;
  outerHTML: string;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { top: number; right: number };
  querySelector(selector: string): PageElement | null;
}

/** Matches an element whose whole text is this, for Playwright's `hasText`, which else takes any part of it. */
export function exactly(text: string): RegExp {
  const escaped = text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  // The editor draws spaces as no-break spaces.
  return new RegExp(`^\\s*${escaped.replaceAll(/\s/g, '\\s')}\\s*$`);
}

/** Text as a user reads it: the editor draws many spaces as no-break spaces. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

/** Whether what was begun came to its end in its time. */
export async function within(begun: Promise<void>): Promise<boolean> {
  try {
    await begun;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
