import { formatBytes } from '../../base/text/text';
import { inEnglish, type Sentence } from '../../base/translate';
import type { ContentPart, ModelContent } from '../../contracts/modelMessages';

const maxImages = 20;
const maxBytes = 10_000_000;

/**
 * Keeps the first images of a result, limited by number and bytes, and replaces each of the others with a short
 * text.
 */
export function capImages({ parts, leftOut }: ModelContent): ModelContent {
  const given = { images: 0, bytes: 0 };
  const over = { images: 0, bytes: 0 };
  const capped = parts.map((part): ContentPart => {
    if (part.kind === 'text') return part;
    const bytes = part.base64.length * 0.75 + part.mimeType.length;
    const fits = given.images < maxImages && given.bytes + bytes <= maxBytes;
    const sum = fits ? given : over;
    sum.images += 1;
    sum.bytes += bytes;
    return fits ? part : { kind: 'text', text: '[Not included: an image]' };
  });
  if (over.images === 0) return { parts, leftOut };
  const note: Sentence = (t) =>
    t(
      '{0} images ({1}): of one result a model is given {2} with {3} at most',
      String(over.images),
      formatBytes(Math.round(over.bytes)),
      String(maxImages),
      formatBytes(maxBytes),
    );
  return {
    parts: [...capped, { kind: 'text', text: `[Not included: ${note(inEnglish)}]` }],
    leftOut: [...leftOut, note],
  };
}
