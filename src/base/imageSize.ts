import { sniffMediaType } from './mediaTypes';

/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size that a PNG, JPEG or WebP image declares; `undefined` if it declares none or is something else. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  if (bytes.length < 32) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (sniffMediaType(bytes)) {
    case 'image/png':
      return { width: view.getUint32(16), height: view.getUint32(20) };
    case 'image/jpeg':
      return jpegSize(view);
    case 'image/webp':
      return webpSize(view);
    default:
      return undefined;
  }
}

/** Goes from segment to segment, each of which states its length, to the frame header. */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; at + 9 <= view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker < 0xffc0) return undefined;
    // Some markers among those of frame headers are for tables.
    if (marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return undefined;
}

function webpSize(view: DataView): ImageSize | undefined {
  switch (view.getUint32(12)) {
    case 0x56503820: // `VP8 `
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: {
      // `VP8L`
      const packed = view.getUint32(21, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // `VP8X`
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: (view.getUint32(26, true) >>> 8) + 1,
      };
    default:
      return undefined;
  }
}
