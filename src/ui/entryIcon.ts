import * as vscode from 'vscode';
import { iconImages } from '../mcp/iconImages';
import type { Icon } from '../mcp/protocol/types';

/** Returns the icon of an entry: the image that its server sent along, if it can be shown, else `usual`. */
export function entryIcon(
  { icons }: { readonly icons?: readonly Icon[] },
  usual: vscode.ThemeIcon,
): vscode.IconPath {
  const images = iconImages(icons);
  if (!images) return usual;
  return { light: vscode.Uri.parse(images.light, true), dark: vscode.Uri.parse(images.dark, true) };
}
