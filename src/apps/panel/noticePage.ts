import * as vscode from 'vscode';
import { escapeMarkup } from '../../base/text/markup';

/** A page that says one thing in the place of an app, without scripts. */
export function noticePage(text: string): string {
  const language = escapeMarkup(vscode.env.language);
  return `<!DOCTYPE html><html lang="${language}"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head><body><p role="status">${escapeMarkup(text)}</p></body></html>`;
}
