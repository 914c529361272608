import { isRecord, type JsonRecord } from '../json';

/** The longest dump that is read, in UTF-16 units, and the most of its findings that are told. */
const longestDump = 100_000;
const mostFindings = 3;

/**
 * Returns a message with the JSON that a schema checker dumped into it, as those of the SDK and of many
 * servers do, put into words: `field "name" is missing`.
 */
export function withoutDump(message: string): string {
  const start = message.search(/\[\s*\{\s*"/);
  const end = message.lastIndexOf(']') + 1;
  if (start < 0 || end <= start) return message;
  const findings = readFindings(message.slice(start, end));
  return findings === undefined
    ? message
    : `${message.slice(0, start)}${findings}${message.slice(end)}`;
}

function readFindings(dump: string): string | undefined {
  if (dump.length > longestDump) return undefined;
  let issues: unknown;
  try {
    issues = JSON.parse(dump);
  } catch {
    return undefined;
  }
  if (!Array.isArray(issues) || !issues.every(isIssue)) return undefined;
  const told = issues.slice(0, mostFindings).map(describe);
  const more = issues.length - told.length;
  return `${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type Issue = JsonRecord & { readonly path: readonly unknown[]; readonly message: string };

function isIssue(value: unknown): value is Issue {
  if (!isRecord(value)) return false;
  return Array.isArray(value['path']) && typeof value['message'] === 'string' && 'code' in value;
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  int: 'an integer',
  object: 'an object',
  record: 'an object',
};

function describe({ path, code, expected, message, keys }: Issue): string {
  const where = path.map(String).join('.');
  const subject = where === '' ? 'the value' : `field "${where}"`;
  if (code === 'unrecognized_keys' && Array.isArray(keys))
    return `${subject} has unknown fields: ${keys.map((key) => `"${String(key)}"`).join(', ')}`;
  if (code !== 'invalid_type') return `${subject} is not as expected`;
  if (/\bundefined$|^Required$/.test(message)) return `${subject} is missing`;
  return `${subject} is not ${kinds[String(expected)] ?? `a ${String(expected)}`}`;
}
