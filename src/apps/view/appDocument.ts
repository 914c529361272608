import { escapeMarkup } from '../../base/text/markup';
import { focusAgain } from './frameMessages';
import type { KeyDown } from './pageWindow';

/** The part of a browser's window that {@link keyboard} needs. */
interface AppWindow {
  addEventListener(
    type: 'keydown',
    listener: (event: KeyDown & { readonly defaultPrevented: boolean }) => void,
    isFirst: true,
  ): void;
  addEventListener(
    type: 'focusin',
    listener: (event: { composedPath(): readonly Focusable[] }) => void,
    isFirst: true,
  ): void;
  addEventListener(type: 'message', listener: (event: AppMessage) => void, isFirst: true): void;
  readonly parent: { postMessage(message: unknown, origin: string): void };
  setTimeout(call: () => void, ms: number): void;
  focus(): void;
}

interface Focusable {
  readonly isConnected: boolean;
  focus(): void;
}

interface AppMessage {
  readonly data: { readonly method?: unknown } | null;
  readonly source: unknown;
  stopImmediatePropagation(): void;
}

/**
 * Passes keys on to the page around the app before the app can keep them: F1 and F6 always belong to the
 * editor, and Escape leaves the app unless the app needs it, such as to close a list. Takes the focus again,
 * in the same place, when that page says so. Runs inside the app.
 */
function keyboard(focusMethod: string): void {
  const browser = globalThis as unknown as AppWindow;
  const { parent } = browser;
  const leave = ({ key }: KeyDown) => parent.postMessage({ key }, '*');
  browser.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'F1' || event.key === 'F6') {
        event.preventDefault();
        leave(event);
      } else if (event.key === 'Escape')
        // Whether the app needs the key is known only after all of its listeners have run.
        browser.setTimeout(() => {
          if (!event.defaultPrevented) leave(event);
        }, 0);
    },
    true,
  );
  let place: Focusable | undefined;
  browser.addEventListener('focusin', (event) => ([place] = event.composedPath()), true);
  browser.addEventListener(
    'message',
    (event) => {
      if (event.source !== parent || event.data?.method !== focusMethod) return;
      event.stopImmediatePropagation();
      if (place?.isConnected) place.focus();
      else browser.focus();
    },
    true,
  );
}

/** Returns the HTML of an app, preceded by its policy and the script that lets the keyboard out and in again. */
export function appDocument(html: string, policy: string): string {
  const own = `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}"><script>(${keyboard.toString()})('${focusAgain}')</script>`;
  const doctype = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}${own}${html.slice(doctype.length)}`;
}
