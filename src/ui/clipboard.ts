/*
 * The only file that puts texts into the clipboard, from where they go into terminals, chats and files: what a server, a
 * repository or a page wrote is in it as it can be seen.
 */
import * as vscode from 'vscode';
import { seenAddress } from '../base/text/address';
import { escapeHidden, readableText, revealHidden } from '../base/text/text';

/** Copies a text to be read: what is hidden in it is visible. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(readableText(text));
}

/** Copies addresses, one a line: what is hidden in one is percent-encoded, a line break, too. */
export async function copyAddresses(...uris: readonly string[]): Promise<void> {
  await copyText(uris.map(seenAddress).join('\n'));
}

/** Copies JSON: what is hidden in its texts becomes an escape, and means the same. */
export async function copyJson(json: string): Promise<void> {
  await copyText(escapeHidden(json));
}

/** Controls, but those that lay out a text: a terminal acts on them, and a document does not show them. */
const controls = /(?![\t\n\r])\p{Cc}/gu;

/** Copies what is in a document, as that has it; only what a terminal would act on is made visible. */
export async function copyDocument(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(
    text.replaceAll(controls, (control) => revealHidden(control)),
  );
}
