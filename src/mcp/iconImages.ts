import { imageSize, sniffMediaType } from '../base/mediaTypes';
import { decodeBase64 } from './protocol/content';
import type { Icon } from './protocol/types';

/** The images of an entry as `data:` URIs, by kind of color theme. */
export interface IconImages {
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
