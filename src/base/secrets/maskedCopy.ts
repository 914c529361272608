import { redacted } from './secrets';

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** A copy of a message that is kept, and so not nested too deep, without secrets: it stays JSON, whatever they are. */
export function maskedCopy(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((part) => maskedCopy(part, mask));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [mask(name), maskedCopy(part, mask)]),
    );
  return mask(String(value)) === String(value) ? value : redacted;
}
