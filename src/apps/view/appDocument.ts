import { escapeMarkup } from '../../base/text/markup';
import type { KeyDown } from './pageWindow';

/**
 * Passes keys on to the page around the app before the app can keep them: F1 and F6 always belong to the
 * editor, and Escape leaves the app unless the app needs it, such as to close a list. Runs inside the app.
 */
function letOut(): void {
  const browser = globalThis as unknown as {
    addEventListener(
      type: 'keydown',
      listener: (event: KeyDown & { readonly defaultPrevented: boolean }) => void,
      isFirst: true,
    ): void;
    readonly parent: { postMessage(message: unknown, origin: string): void };
    setTimeout(call: () => void, ms: number): void;
  };
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
}

/** Returns the HTML of an app, preceded by its policy and the script that lets the keyboard out. */
export function appDocument(html: string, policy: string): string {
  const own = `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}"><script>(${letOut.toString()})()</script>`;
  const doctype = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}${own}${html.slice(doctype.length)}`;
}
