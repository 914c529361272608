import { escapeMarkup } from '../../base/text/markup';
import * as messages from './frameMessages';
import { shell, type ShellSettings } from './shell';
import { styleVariables } from './styleVariables';

/** The most messages of an app in a second; it is ended by more. */
export const maxMessagesPerSecond = 500;

/** The longest message of an app, in UTF-16 units. */
export const maxMessageLength = 2_000_000;

/** What the frame of an app may: no navigation of the window, no popups, no downloads, no origin of ours. */
export const sandbox = 'allow-scripts allow-forms';

/** What stands around an app. */
export interface PageTexts {
  /** Whose app it is, in words of ours. */
  readonly owner: string;
  readonly uri: string;
  /** How the keyboard gets out. */
  readonly hint: string;
  readonly language: string;
}

// What is fixed ends what scrolls its parents: an app could move the line above it out of sight otherwise.
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
 * The page around an app. Its policy is the app's, as the frame inside inherits it; nothing of a server
 * stands in the page but escaped texts, so that the policy does not have to keep scripts out of it.
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
<script>(${shell.toString()})(${inScript(settings)});</script>
</body>
</html>`;
}

function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
