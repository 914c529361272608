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

/** True for a template that keeps to RFC 6570. */
export function isTemplate(text: string): boolean {
  return wellFormed.test(text);
}

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

/** How an operator writes values (RFC 6570, appendix A). */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** What stands between the name of a variable and an empty value; absent if names are not written. */
  readonly afterName?: string;
  /** True if reserved characters and what is percent-encoded already stay as they are. */
  readonly isReserved?: true;
}

const operators: Readonly<Record<string, Operator>> = {
  '': { first: '', separator: ',' },
  '+': { first: '', separator: ',', isReserved: true },
  '#': { first: '#', separator: ',', isReserved: true },
  '.': { first: '.', separator: '.' },
  '/': { first: '/', separator: '/' },
  ';': { first: ';', separator: ';', afterName: '' },
  '?': { first: '?', separator: '&', afterName: '=' },
  '&': { first: '&', separator: '&', afterName: '=' },
};

/**
 * Returns the URI for the given values; throws a `UserError` for an invalid template, and for a value that the template
 * cannot take.
 */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, TemplateValue>>,
): string {
  if (!isTemplate(template))
    throw new UserError((t) => t('The URI template {0} breaks the rules of RFC 6570.', template));
  try {
    return template.replaceAll(
      /\{([+#./;?&]?)([^{}]*)\}|[^{}]+/g,
      (literal: string, operator: string, specs: string | undefined) => {
        if (specs === undefined) return encodeReserved(literal);
        const written = operators[operator] as Operator;
        const parts = specs.split(',').flatMap((spec) => expandVariable(spec, written, values));
        return parts.length > 0 ? written.first + parts.join(written.separator) : '';
      },
    );
  } catch (error) {
    throw new UserError(
      (t) => t('The URI template {0} cannot be filled in: {1}', template, errorMessage(error, t)),
      { cause: error },
    );
  }
}

/** Returns the parts that a variable adds to its expression: none if it has no value, several only with a `*`. */
function expandVariable(
  spec: string,
  { afterName, isReserved }: Operator,
  values: Readonly<Record<string, TemplateValue>>,
): string[] {
  const [, name = '', modifier = ''] = /^(.*?)(\*|:\d+)?$/.exec(spec) ?? [];
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  // By the standard, what is empty but a text counts as undefined.
  if (value === undefined || (typeof value === 'object' && Object.keys(value).length === 0))
    return [];
  const encode = isReserved ? encodeReserved : encodeAll;
  const named = (key: string, text: string) => {
    if (afterName === undefined) return text;
    return `${key}${text === '' ? afterName : `=${text}`}`;
  };
  const key = encodeReserved(name);
  if (typeof value === 'string') {
    // The standard counts characters, not UTF-16 units.
    const most = modifier.startsWith(':') ? Number(modifier.slice(1)) : Infinity;
    return [
      named(key, encode(most === Infinity ? value : Array.from(value).slice(0, most).join(''))),
    ];
  }
  if (modifier.startsWith(':'))
    throw new UserError((t) =>
      t('"{0}" has several values, which cannot be cut.', plainLabel(name, 40)),
    );
  if (isList(value)) {
    const items = value.map(encode);
    return modifier === '*' ? items.map((item) => named(key, item)) : [named(key, items.join(','))];
  }
  const pairs = Object.entries(value).map(([one, text]) => [encode(one), encode(text)] as const);
  if (modifier !== '*') return [named(key, pairs.flat().join(','))];
  return pairs.map(([one, text]) =>
    afterName === undefined ? `${one}=${text}` : named(one, text),
  );
}

function isList(value: TemplateValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Encodes everything but unreserved characters. */
function encodeAll(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes everything but unreserved and reserved characters, and what is percent-encoded already. */
function encodeReserved(text: string): string {
  return text
    .split(/(%[\dA-Fa-f]{2})/)
    .map((part, index) =>
      index % 2 === 1 ? part : encodeURI(part).replaceAll('%5B', '[').replaceAll('%5D', ']'),
    )
    .join('');
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
