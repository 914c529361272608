import { redacted } from './secrets';

/** A shorter value cannot be told from other text. */
const minLength = 4;

/** Takes values out of texts that nobody shall read there. */
export class SecretMask {
  private readonly forms = new Set<string>();
  private pattern: RegExp | undefined;

  /** Hides these values from now on, in the forms too that they have in JSON and in addresses. */
  hide(values: Iterable<string>): void {
    for (const value of values) {
      // A key has many lines, and a log may show one of them.
      for (const part of [value, ...value.split('\n')].map((text) => text.trim()))
        if (part.length >= minLength) for (const form of formsOf(part)) this.forms.add(form);
    }
    this.pattern = undefined;
  }

  /** The text without the hidden values. */
  apply(text: string): string {
    if (this.forms.size === 0) return text;
    this.pattern ??= createPattern(this.forms);
    return text.replaceAll(this.pattern, redacted);
  }
}

function formsOf(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
}

function createPattern(forms: Iterable<string>): RegExp {
  // The longest first: one value may begin like another.
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((form) =>
    form.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`),
  );
  return new RegExp(escaped.join('|'), 'g');
}
