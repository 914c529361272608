import { escapeMarkup } from '../../base/text/markdown';
import * as messages from './frameMessages';
import { Shell, type ShellSettings } from './shell';
import { styleVariables } from './styleVariables';

/** At most this many messages per second are accepted from an app; more end it. */
export const maxMessagesPerSecond = 500;

/** The longest message of an app, in UTF-16 units. */
export const maxMessageLength = 2_000_000;

/** The `sandbox` attribute of an app's frame: no navigation of the window, popups, or downloads, and not our origin. */
export const sandbox = 'allow-scripts allow-forms';

/** The texts around an app. */
export interface PageTexts {
  /** Whose app it is, in our own words. */
  readonly owner: string;
  readonly uri: string;
  /** How to leave the app with the keyboard. */
  readonly hint: string;
  readonly language: string;
}

// The fixed position keeps an app from scrolling its parents, which could move the line above it out of sight.
const styles = `
html, body { height: 100%; margin: 0; padding: 0; }
body { position: fixed; inset: 0; display: flex; flex-direction: column; background: var(--vscode-editor-background); }
header { flex: none; display: flex; gap: 1em; padding: 4px 12px; white-space: nowrap; overflow: hidden;
  font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground);
  background: var(--vscode-editorWidget-background);
  border-bottom: 1px solid var(--vscode-contrastBorder, var(--vscode-panel-border, transparent)); }
header:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
header span { overflow: hidden; text-overflow: ellipsis; }
header .owner { flex: none; max-width: 100%; }
header .uri { color: var(--vscode-descriptionForeground); }
header:focus .uri { display: none; }
header .hint { margin-left: auto; color: var(--vscode-descriptionForeground); display: none; }
header:focus .hint { display: inline; }
main { flex: 1; min-height: 0; overflow: hidden; }
main > p { padding: 0 12px; font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); }
iframe { display: block; width: 100%; height: 100%; border: 0; }
`;

/**
 * Returns the page around an app. Its policy is the app's, because the frame inside inherits it; the only
 * content from a server is escaped text, so the policy does not have to keep scripts out of the page.
 */
export function shellPage(policy: string, { owner, uri, hint, language }: PageTexts): string {
  const settings: ShellSettings = {
    messages,
    reserved: 'ui/notifications/sandbox-',
    variables: styleVariables,
    maxMessagesPerSecond,
    maxMessageLength,
  };
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">
<meta name="referrer" content="no-referrer">
<style>${styles}</style>
</head>
<body>
<header tabindex="0"><span class="owner">${escapeMarkup(owner)}</span><span class="uri">${escapeMarkup(uri)}</span><span class="hint">${escapeMarkup(hint)}</span></header>
<main></main>
<script>new (${Shell.toString()})(${inScript(settings)});</script>
</body>
</html>`;
}

function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
