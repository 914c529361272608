import { redacted } from './secrets';

/** Removes secrets from a text. */
export type Mask = (text: string) => string;

/** Copies a stored message, which is never nested too deep, without secrets; the copy is JSON, whatever they are. */
export function maskedCopy(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((part) => maskedCopy(part, mask));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [mask(name), maskedCopy(part, mask)]),
    );
  return mask(String(value)) === String(value) ? value : redacted;
}
