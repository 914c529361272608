import * as vscode from 'vscode';
import { escapeMarkup } from '../../base/text/markup';

/** Returns a page without scripts that shows a text in place of an app. */
export function noticePage(text: string): string {
  const language = escapeMarkup(vscode.env.language);
  return `<!DOCTYPE html><html lang="${language}"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head><body><p role="status">${escapeMarkup(text)}</p></body></html>`;
}
