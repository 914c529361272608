import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { errorMessage, UserError } from '../../base/errors';

/** A variable of a URI template (RFC 6570, section 2.3). */
export interface TemplateVariable {
  readonly name: string;
  /** True where the URI has a hole without it: not in a query or another part that may be missing. */
  readonly required: boolean;
  /** True for `{name*}`, which takes several values or pairs of a name and a value. */
  readonly several: boolean;
}

/** The value of a variable: one, several, or pairs. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

/** The variables of a template in order, each once. */
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

/** The URI for the values given; throws a `UserError` for a template that breaks the rules. */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, TemplateValue>>,
): string {
  try {
    return StdUriTemplate.expand(template, values);
  } catch (error) {
    throw new UserError(
      (t) => t('The URI template {0} cannot be filled in: {1}', template, errorMessage(error, t)),
      { cause: error },
    );
  }
}

/**
 * Reads what a user typed for a variable: for one that takes several, values separated by
 * commas, and pairs where every piece is written `name=value`.
 */
export function parseTemplateValue(typed: string, { several }: TemplateVariable): TemplateValue {
  if (!several) return typed;
  const pieces = typed
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const pairs = pieces.map((piece) => /^([^=]+)=([^]*)$/.exec(piece));
  if (pieces.length === 0 || !pairs.every((pair) => pair !== null)) return pieces;
  return Object.fromEntries(pairs.map((pair) => [pair[1] ?? '', pair[2] ?? '']));
}
