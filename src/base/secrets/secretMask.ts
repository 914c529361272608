import { replaceEach } from '../text/replaceEach';
import { redacted } from './secrets';

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

  /** Returns the text without the hidden values. */
  apply(text: string): string {
    return replaceEach(text, this.forms, () => redacted);
  }
}

function formsOf(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
}
