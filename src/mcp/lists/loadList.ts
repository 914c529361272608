import { nextTurn } from '../../base/async';
import { isList } from '../../base/json';
import { truncate } from '../../base/text/text';
import { inEnglish, type LocalizableMessage, type Translate } from '../../base/translate';
import type { NoteEntry } from '../protocol/entries';
import { readAs } from '../protocol/readAs';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import type { ListSpec } from './listSpecs';

/** At most this many pages of a list are requested. */
export const maxPages = 5000;

/** The most text that the entries of a list may have in total, in UTF-16 units. */
export const maxListLength = 100_000_000;

/** The longest cursor that is sent back, in UTF-16 units. */
export const maxCursorLength = 100_000;

/** At most this many problems of a list are reported, and below, this much of each, in UTF-16 units. */
export const maxProblems = 20;
const maxProblemLength = 500;

/** After this many entries, or this much of their text, the window gets a turn. */
const entriesPerTurn = 5000;
const lengthPerTurn = 4_000_000;

/** The entries of all pages of a list, and the problems with them. */
export interface LoadedList<T> {
  readonly items: readonly T[];
  readonly problems: readonly string[];
  /** The problem that the list does not end, or not soon enough. */
  readonly cut?: string;
  /** The problems with entries that have the name of an earlier one. */
  readonly duplicates?: readonly string[];
  /** How long the list may be kept, in milliseconds; the shortest of its pages (2026-07-28). */
  readonly ttlMs?: number;
}

type Request = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * Loads every page of a list. Leaves out and reports malformed entries, and those with the name of an earlier one;
 * cuts the list and reports it if a cursor is unusable or repeated, or if there is too much; the list is empty if the
 * server does not know the method. `onPage` gets all entries so far, in an array that keeps growing. Rejects with what
 * `request` rejects with.
 */
export async function loadList<T>(
  spec: ListSpec<T>,
  request: Request,
  onPage?: (items: readonly T[]) => void,
  t: Translate = inEnglish,
): Promise<LoadedList<T>> {
  const items: T[] = [];
  const names = new Set<string>();
  let seen = 0;
  const problems = new Problems(t);
  const duplicates = new Problems(t);
  const noteEntry: NoteEntry = (what, name) => problems.note(what, name);
  const cursors = new Set<string>();
  let length = 0;
  let turnEnds = { seen: entriesPerTurn, length: lengthPerTurn };
  const isFull = () => seen >= spec.maxEntries || length >= maxListLength;
  let ttlMs: number | undefined;
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    const result = await requestPage(spec, request, cursor);
    if (!result) break;
    const entries = listOf(result[spec.field], spec, problems, t);
    if (!entries) {
      problems.add(t('The answer to {0} has no list "{1}".', spec.method, spec.field));
      break;
    }
    let isCut = false;
    for (const value of entries) {
      if (isFull()) {
        isCut = true;
        break;
      }
      if (seen >= turnEnds.seen || length >= turnEnds.length) {
        turnEnds = { seen: seen + entriesPerTurn, length: length + lengthPerTurn };
        await nextTurn();
      }
      const read = spec.read(value, noteEntry);
      seen += 1;
      if ('problem' in read) {
        problems.add(read.problem(t));
        continue;
      }
      length += read.length;
      const name = spec.nameOf?.(read.entry);
      if (name === undefined || names.size < names.add(name).size) items.push(read.entry);
      else duplicates.add(t('The second "{0}" of {1} was left out.', name, spec.method));
    }
    if (typeof result['ttlMs'] === 'number') ttlMs = Math.min(ttlMs ?? Infinity, result['ttlMs']);
    const next = result['nextCursor'] ?? '';
    if (next === '' && !isCut) break;
    const isLast = page + 1 >= maxPages || isFull();
    const counts = { pages: page + 1, seen, items: items.length };
    problems.first = cutAt(next, cursors, isLast, counts)?.(t);
    if (problems.first !== undefined || typeof next !== 'string') break;
    cursor = next;
    cursors.add(cursor);
    onPage?.(items);
  }
  const { first: cut } = problems;
  return {
    items,
    problems: [...problems.sentences, ...duplicates.sentences],
    ...(cut !== undefined && { cut }),
    ...(duplicates.isEmpty ? {} : { duplicates: duplicates.sentences }),
    ...(ttlMs !== undefined && { ttlMs }),
  };
}

/** Says why a list ends at a cursor, if it does though the server has more. */
function cutAt(
  next: unknown,
  known: ReadonlySet<string>,
  isLast: boolean,
  { pages, seen, items }: Readonly<Record<'pages' | 'seen' | 'items', number>>,
): LocalizableMessage | undefined {
  if (typeof next !== 'string')
    return (t) =>
      t('The list was cut: its next cursor is of type {0} instead of text.', typeof next);
  if (known.has(next))
    return (t) =>
      t('The list was cut: the server repeats itself after {0} entries.', String(items));
  if (next.length > maxCursorLength)
    return (t) => t('The list was cut: its next cursor has {0} characters.', String(next.length));
  return isLast
    ? (t) => t('The list was cut after {0} pages with {1} entries.', String(pages), String(seen))
    : undefined;
}

function listOf<T>(
  value: unknown,
  { field, method }: ListSpec<T>,
  problems: Problems,
  t: Translate,
): readonly unknown[] | undefined {
  if (isList(value)) return value;
  const reading = readAs('list', value, field);
  if (!isList(reading.value)) return undefined;
  problems.add(t('In its answer to {0}, {1}.', method, reading.what(t)));
  return reading.value;
}

async function requestPage<T>(
  spec: ListSpec<T>,
  request: Request,
  cursor: string | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const result = await request(spec.method, cursor === undefined ? {} : { cursor });
    return result as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof RpcError && error.code === ErrorCode.methodNotFound) return undefined;
    throw error;
  }
}

/** Collects at most {@link maxProblems} sentences, and counts the rest. */
class Problems {
  private readonly kept: string[] = [];
  private more = 0;
  /** What is wrong with entries that are kept, by its English text: often the same with all of them. */
  private readonly notes = new Map<
    string,
    { readonly what: LocalizableMessage; readonly name: string; count: number }
  >();
  private readonly t: Translate;
  /** The problem with the whole list, told before those with single entries. */
  first: string | undefined;

  constructor(t: Translate) {
    this.t = t;
  }

  get isEmpty(): boolean {
    return this.kept.length === 0;
  }

  add(sentence: string): void {
    if (this.kept.length < maxProblems) this.kept.push(truncate(sentence, maxProblemLength));
    else this.more += 1;
  }

  /** Adds what is wrong with an entry that is kept, whose name is said only for the first of its kind. */
  note(what: LocalizableMessage, name: string): void {
    const english = what(inEnglish);
    const before = this.notes.get(english);
    if (before) before.count += 1;
    else if (this.notes.size < maxProblems) this.notes.set(english, { what, name, count: 1 });
    else this.more += 1;
  }

  get sentences(): readonly string[] {
    const { t } = this;
    for (const { what, name, count } of this.notes.values()) {
      const said = t('In "{0}", {1}.', name, what(t));
      this.add(count === 1 ? said : `${said} ${t('So it is in {0} entries.', String(count))}`);
    }
    this.notes.clear();
    const lead = this.first === undefined ? [] : [this.first];
    const rest = this.more === 0 ? [] : [t('And {0} more', String(this.more))];
    return [...lead, ...this.kept, ...rest];
  }
}
