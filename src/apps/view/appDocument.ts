import { escapeMarkup } from '../../base/text/markup';
import type { KeyDown } from './pageWindow';

/**
 * Lets the keyboard out, before anything of the app can keep it: F1 and F6 are the editor's wherever it has
 * a page, and Escape leaves unless the app needs it, to close a list of its own. Runs inside of the app.
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
        // Whether the app needs it is known once the key has been everywhere.
        browser.setTimeout(() => {
          if (!event.defaultPrevented) leave(event);
        }, 0);
    },
    true,
  );
}

/** The HTML of an app with its policy and the way out for the keyboard in front of everything of its own. */
export function appDocument(html: string, policy: string): string {
  const own = `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}"><script>(${letOut.toString()})()</script>`;
  const doctype = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}${own}${html.slice(doctype.length)}`;
}
