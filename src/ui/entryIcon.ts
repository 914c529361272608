import * as vscode from 'vscode';
import { iconImages } from '../mcp/iconImages';
import type { Icon, Tool } from '../mcp/protocol/types';
import { definitionProblem } from '../contracts/modelSchema';
import { appUriOf, isForModels } from '../contracts/toolApps';

/** Returns what a row says about a tool that has an app, or that is never offered to models; empty for others. */
export function toolNote(tool: Tool): string {
  if (!isForModels(tool)) return vscode.l10n.t('For apps only: not offered to models.');
  if (definitionProblem(tool) !== undefined)
    return vscode.l10n.t('Too large or too deep to be offered to models.');
  return appUriOf(tool) === undefined ? '' : vscode.l10n.t('Has an app.');
}

/** Returns the icon of a tool: its own image, or else a symbol, which is a different one if it has an app. */
export function toolIcon(tool: Tool): vscode.IconPath {
  const sign = appUriOf(tool) === undefined ? 'symbol-method' : 'window';
  return entryIcon(tool, new vscode.ThemeIcon(sign));
}

/** Returns the icon of an entry: the image that its server sent along, if it can be shown, else `usual`. */
export function entryIcon(
  { icons }: { readonly icons?: readonly Icon[] },
  usual: vscode.ThemeIcon,
): vscode.IconPath {
  const images = iconImages(icons);
  if (!images) return usual;
  return { light: vscode.Uri.parse(images.light, true), dark: vscode.Uri.parse(images.dark, true) };
}
