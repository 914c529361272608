import * as vscode from 'vscode';
import { imageSize, sniffMediaType } from '../base/mediaTypes';
import { decodeBase64 } from '../mcp/protocol/content';
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

/** The images of an entry as `data:` URIs, by kind of color theme. */
interface IconImages {
  readonly light: string;
  readonly dark: string;
}

const maxBytes = 64 * 1024;
const maxPixels = 1024;
const dataUri = /^data:(image\/(?:png|jpe?g|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/**
 * Selects the images among a server's icons that can be shown without fetching anything: small, free of
 * code, and of the type that they claim (icons, security considerations); `undefined` if there are none.
 */
export function iconImages(icons: readonly Icon[] = []): IconImages | undefined {
  const usable = icons.filter(({ src }) => isSafe(src));
  const [any] = usable;
  if (!any) return undefined;
  const of = (theme: string) =>
    (usable.find((icon) => icon.theme === theme) ?? usable.find((icon) => !icon.theme) ?? any).src;
  return { light: of('light'), dark: of('dark') };
}

function isSafe(src: string): boolean {
  if (src.length > maxBytes) return false;
  const [, type = '', base64 = ''] = dataUri.exec(src) ?? [];
  const bytes = decodeBase64(base64);
  if (!bytes || sniffMediaType(bytes) !== type.replace('jpg', 'jpeg')) return false;
  // A few bytes can decompress to an image that fills the memory.
  const size = imageSize(bytes);
  return size !== undefined && Math.max(size.width, size.height) <= maxPixels;
}
