import { parseTemplate } from 'url-template';
import { errorMessage, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';

/** A variable of a URI template (RFC 6570, section 2.3). */
export interface TemplateVariable {
  readonly name: string;
  /** True if the URI is incomplete without it: not in a query or another part that may be missing. */
  readonly required: boolean;
  /** True for `{name*}`, which takes several values or pairs of a name and a value. */
  readonly several: boolean;
}

/** The value of a variable: one, several, or pairs. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

const nameSyntax = String.raw`(?:[\p{L}\p{M}\p{N}_]|%[\dA-Fa-f]{2})+`;
const variableSyntax = String.raw`${nameSyntax}(?:\.${nameSyntax})*(?:\*|:[1-9]\d{0,3})?`;
const wellFormed = new RegExp(
  String.raw`^(?:[^{}]|\{[+#./;?&]?${variableSyntax}(?:,${variableSyntax})*\})*$`,
  'u',
);

/** Returns the variables of a template in order, each once. */
export function templateVariables(template: string): readonly TemplateVariable[] {
  const variables = new Map<string, TemplateVariable>();
  for (const [, operator = '', specs = ''] of template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)) {
    for (const spec of specs.split(',')) {
      const name = spec.trim().replace(/(?:\*|:\d+)$/, '');
      const before = variables.get(name);
      const required = operator === '' || operator === '+' || before?.required === true;
      const several = spec.trim().endsWith('*') || before?.several === true;
      if (name !== '') variables.set(name, { name, required, several });
    }
  }
  return [...variables.values()];
}

/** Returns the URI for the given values; throws a `UserError` for an invalid template. */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, TemplateValue>>,
): string {
  // The library accepts any text, and leaves in place what it does not understand.
  if (!wellFormed.test(template))
    throw new UserError((t) => t('The URI template {0} breaks the rules of RFC 6570.', template));
  try {
    return parseTemplate(withUnits(template, values)).expand(present(values));
  } catch (error) {
    throw new UserError(
      (t) => t('The URI template {0} cannot be filled in: {1}', template, errorMessage(error, t)),
      { cause: error },
    );
  }
}

// The standard counts characters, but the library counts UTF-16 units and would split surrogate pairs.
function withUnits(template: string, values: Readonly<Record<string, TemplateValue>>): string {
  return template.replaceAll(/\{[^}]*\}/g, (expression) =>
    expression.replaceAll(
      /(?<=^\{[+#./;?&]?|,)([^{,:+#./;?&][^{,:]*):(\d+)/g,
      (spec: string, name: string, characters: string) => {
        const value = values[name];
        if (typeof value !== 'string') return spec;
        return `${name}:${Array.from(value).slice(0, Number(characters)).join('').length}`;
      },
    ),
  );
}

// By the standard, every empty list counts as undefined, but the library only treats some that way.
function present(values: Readonly<Record<string, TemplateValue>>) {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => typeof value === 'string' || Object.keys(value).length > 0)
      .map(([name, value]) => [name, isList(value) ? [...value] : value]),
  );
}

function isList(value: TemplateValue): value is readonly string[] {
  return Array.isArray(value);
}

/**
 * Reads what a user typed for a variable: if it takes several values, they are separated by commas, and
 * are pairs if each is written `name=value`; throws a `UserError` if two pairs have the same name.
 */
export function parseTemplateValue(typed: string, { several }: TemplateVariable): TemplateValue {
  if (!several) return typed;
  const pieces = typed
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const pairs = pieces.map((piece) => /^([^=]+)=([^]*)$/.exec(piece));
  if (pieces.length === 0 || !pairs.every((pair) => pair !== null)) return pieces;
  const names = pairs.map((pair) => pair[1] ?? '');
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated !== undefined)
    throw new UserError((t) => t('"{0}" can be given only once.', plainLabel(repeated, 40)));
  return Object.fromEntries(pairs.map((pair, i) => [names[i] ?? '', pair[2] ?? '']));
}
