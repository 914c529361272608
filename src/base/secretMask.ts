import { redacted, redactSecrets, redactText } from './secrets';
import { decodePercent, replaceEach } from './text/text';

/** Removes secrets from a text. */
export type Mask = (text: string) => string;

/** The shortest value that is hidden: a shorter one cannot be told from other text. */
const minLength = 4;

/** Removes values from texts in which nobody may read them. */
export class SecretMask {
  private readonly forms = new Set<string>();

  /** Hides these values from now on, also in the forms that they have in JSON and in URLs. */
  hide(values: Iterable<string>): void {
    for (const value of values) {
      // A key has many lines, and a log may show one of them.
      for (const part of [value, ...value.split('\n')].map((text) => text.trim()))
        if (part.length >= minLength) for (const form of formsOf(part)) this.forms.add(form);
    }
  }

  /** Returns the text without the hidden values, and without the beginning of one that was cut before it came here. */
  apply(text: string): string {
    return withoutCut(
      replaceEach(text, this.forms, () => redacted),
      this.forms,
    );
  }
}

/** Returns a text without what is before an ellipsis, which every cut leaves behind, and begins one of the values. */
function withoutCut(text: string, values: ReadonlySet<string>): string {
  if (!text.includes('…')) return text;
  const beginnings = new Map<number, number>();
  for (const value of values) {
    const start = value.slice(0, minLength);
    let end = 0;
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      if (end < at + minLength) end = text.indexOf('…', at + minLength);
      if (end < 0) break;
      if (end - at < value.length && value.startsWith(text.slice(at, end)))
        beginnings.set(end, Math.min(at, beginnings.get(end) ?? at));
    }
  }
  const pieces: string[] = [];
  let done = 0;
  for (const [end, at] of [...beginnings].toSorted(([a], [b]) => a - b)) {
    pieces.push(text.slice(done, at), redacted);
    done = end;
  }
  return pieces.join('') + text.slice(done);
}

/** Returns a value as it may stand in a text, in JSON, in JSON that is a text of JSON, in a form, and in each part of a URL. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text);
  const url = new URL('http://host');
  url.password = text;
  url.pathname = text;
  url.search = text.replaceAll('#', '%23');
  url.hash = text;
  const { password, pathname, search, hash } = url;
  const encoded = [
    encodeURIComponent(text.toWellFormed()),
    new URLSearchParams([['', text]]).toString().slice(1),
    password,
    ...[pathname, search, hash].map((part) => part.slice(1)).filter((part) => isWhole(part, text)),
  ];
  const lower = encoded.map((one) => one.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
  return [text, json.slice(1, -1), JSON.stringify(json).slice(3, -3), ...encoded, ...lower].filter(
    (form) => form.length >= minLength,
  );
}

/** False for a part of an address that leaves out steps of the text: what is left may stand anywhere. */
function isWhole(part: string, text: string): boolean {
  const asPath = text.replaceAll('\\', '/').replace(/^\//, '');
  const plain = (one: string) => one.replaceAll(/(?:%[\da-f]{2})+/gi, decodePercent);
  return [text, asPath].some((whole) => plain(part) === plain(whole));
}

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

/** Copies a JSON value that is kept, or shown again later, without what looks like a secret, also within its texts. */
export function withoutSecrets(value: unknown): unknown {
  return redactSecrets(maskedCopy(value, redactText));
}
