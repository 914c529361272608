import { imageSize } from '../base/media/imageSize';
import { sniffMediaType } from '../base/media/mediaTypes';
import { decodeBase64 } from './protocol/content';
import type { Icon } from './protocol/types';

/** The images that stand for an entry, as `data:` URIs, by the kind of color theme. */
export interface IconImages {
  readonly light: string;
  readonly dark: string;
}

const maxBytes = 64 * 1024;
const maxPixels = 1024;
const dataUri = /^data:(image\/(?:png|jpe?g|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/**
 * The images among a server's icons that can be shown without asking anybody for them: small and
 * without code, and what they say they are (icons, security considerations).
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
  // A few bytes can unfold to an image that fills the memory.
  const size = imageSize(bytes);
  return size !== undefined && Math.max(size.width, size.height) <= maxPixels;
}
