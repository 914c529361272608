import { listText, type Translate } from '../../base/translate';
import { truncate } from '../../base/text/text';
import type { Json } from '../protocol/types';
import type { LimitKeyword, SchemaProblem, UncheckedReason } from './validation';

const maxValues = 10;
const maxValueLength = 60;

/** Says what is wrong with a value, and where; one clause for each problem. */
export function problemsText(problems: readonly SchemaProblem[], t: Translate): string {
  return problems.map((problem) => problemText(problem, t)).join(t('. '));
}

/** Says why a value was not checked, in words to follow a colon. */
export function uncheckedText(reason: UncheckedReason, t: Translate): string {
  switch (reason) {
    case 'size':
      return t('too large to check');
    case 'time':
      return t('the check took too long');
    case 'memory':
      return t('the check needed too much memory');
    case 'reference':
      return t('the schema refers to another document, which is never fetched');
    case 'unusable':
      return t('the schema cannot be used');
    case 'unavailable':
      return t('the checker could not be started');
  }
}

function problemText(problem: SchemaProblem, t: Translate): string {
  const place = problem.path.join('.');
  if (place === '') return capitalize(clause(problem, t));
  switch (problem.kind) {
    case 'missing':
      return t('"{0}" is missing', place);
    case 'forbidden':
      return t('"{0}" is not allowed', place);
    case 'badName':
      return t('"{0}" is not an allowed name', place);
    default:
      return t('"{0}": {1}', place, clause(problem, t));
  }
}

function clause(problem: SchemaProblem, t: Translate): string {
  switch (problem.kind) {
    case 'missing':
      return t('a value is missing');
    case 'forbidden':
    case 'badName':
    case 'excluded':
      return t('not an allowed value');
    case 'repeated':
      return t('entries must be unique');
    case 'noForm':
      return t('matches none of the alternatives');
    case 'manyForms':
      return t('matches more than one alternative where only one is allowed');
    case 'contains':
      return t('the list lacks a required entry');
    case 'type':
      return t('must be {0}', problem.types.map((type) => typeText(type, t)).join(t(' or ')));
    case 'choice': {
      const shown = problem.values.slice(0, maxValues).map(valueText);
      const more = problem.values.length > maxValues ? ['…'] : [];
      return t('must be one of {0}', listText([...shown, ...more], t));
    }
    case 'constant':
      return t('must be {0}', valueText(problem.value));
    case 'limit':
      return limitText(problem.keyword, problem.limit, t);
    case 'pattern':
      return t('must match the pattern {0}', truncate(problem.pattern, maxValueLength));
    case 'format':
      return formatText(problem.format, t);
    case 'other':
      return t('does not match the schema ({0})', problem.keyword);
  }
}

function typeText(type: string, t: Translate): string {
  switch (type) {
    case 'string':
      return t('text');
    case 'number':
      return t('a number');
    case 'integer':
      return t('a whole number');
    case 'boolean':
      return t('true or false');
    case 'array':
      return t('a list');
    case 'object':
      return t('an object');
    default:
      return truncate(type, maxValueLength);
  }
}

function limitText(keyword: LimitKeyword, limit: number, t: Translate): string {
  const bound = String(limit);
  switch (keyword) {
    case 'minLength':
      return limit === 1 ? t('must not be empty') : t('at least {0} characters', bound);
    case 'maxLength':
      return limit === 1 ? t('at most one character') : t('at most {0} characters', bound);
    case 'minItems':
      return limit === 1 ? t('at least one entry') : t('at least {0} entries', bound);
    case 'maxItems':
      return limit === 1 ? t('at most one entry') : t('at most {0} entries', bound);
    case 'minProperties':
      return limit === 1 ? t('at least one property') : t('at least {0} properties', bound);
    case 'maxProperties':
      return limit === 1 ? t('at most one property') : t('at most {0} properties', bound);
    case 'minimum':
      return t('must be {0} or more', bound);
    case 'maximum':
      return t('must be {0} or less', bound);
    case 'exclusiveMinimum':
      return t('must be more than {0}', bound);
    case 'exclusiveMaximum':
      return t('must be less than {0}', bound);
    case 'multipleOf':
      return t('must be a multiple of {0}', bound);
  }
}

/** Describes text in a format, such as "an email address"; `undefined` if there is no description. */
export function formatName(format: string, t: Translate): string | undefined {
  switch (format) {
    case 'email':
    case 'idn-email':
      return t('an email address');
    case 'uri':
    case 'iri':
      return t('a URI like https://example.com/path');
    case 'date':
      return t('a date like 2026-01-31');
    case 'date-time':
      return t('a date and time like 2026-01-31T12:00:00Z');
    case 'time':
      return t('a time like 12:00:00Z');
    case 'uuid':
      return t('a UUID');
    case 'ipv4':
    case 'ipv6':
      return t('an IP address');
    default:
      return undefined;
  }
}

function formatText(format: string, t: Translate): string {
  const name = formatName(format, t);
  return name === undefined
    ? t('not of the format "{0}"', truncate(format, maxValueLength))
    : t('not {0}', name);
}

function valueText(value: Json): string {
  return truncate(JSON.stringify(value), maxValueLength);
}

function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
