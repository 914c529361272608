import { nextTurn } from '../../base/async';
import { truncate } from '../../base/text/text';
import { inEnglish, type Translate } from '../../base/translate';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import type { ListSpec } from './listSpecs';

/** The most pages of a list that are asked for. */
export const maxPages = 5000;

/** How long the texts of all its entries may be together, in UTF-16 units. */
export const maxListLength = 100_000_000;

/** A longer cursor is not sent back. */
export const maxCursorLength = 100_000;

/** How many problems of a list are told, and how much of each, in UTF-16 units. */
export const maxProblems = 20;
const maxProblemLength = 500;

/** After so many entries, or so much text of theirs, the window gets its turn. */
const entriesPerTurn = 5000;
const lengthPerTurn = 4_000_000;

/** All pages of a list, with what was wrong on the way. */
export interface LoadedList<T> {
  readonly items: readonly T[];
  readonly problems: readonly string[];
  /** How long the list may be kept, in milliseconds; the shortest of its pages (2026-07-28). */
  readonly ttlMs?: number;
}

type Request = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * Loads every page of a list. A malformed entry is left out and reported, as is one that requests
 * could not tell from another; a repeated cursor or too many pages end the list with a report; a server that does not know the method has none.
 * `onPage` gets what came so far, in a list that goes on growing. Rejects with what `request` rejects with.
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
  const cursors = new Set<string>();
  let length = 0;
  let turnEnds = { seen: entriesPerTurn, length: lengthPerTurn };
  const isFull = () => seen >= spec.maxEntries || length >= maxListLength;
  let ttlMs: number | undefined;
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    const result = await requestPage(spec, request, cursor);
    if (!result) break;
    const entries = result[spec.field];
    if (!Array.isArray(entries)) {
      problems.add(t('The answer to {0} has no list "{1}".', spec.method, spec.field));
      break;
    }
    let isCut = false;
    for (const value of entries as readonly unknown[]) {
      if (isFull()) {
        isCut = true;
        break;
      }
      if (seen >= turnEnds.seen || length >= turnEnds.length) {
        turnEnds = { seen: seen + entriesPerTurn, length: length + lengthPerTurn };
        await nextTurn();
      }
      const read = spec.read(value);
      seen += 1;
      if ('problem' in read) {
        problems.add(read.problem(t));
        continue;
      }
      length += read.length;
      const name = spec.nameOf?.(read.entry);
      if (name === undefined || names.size < names.add(name).size) items.push(read.entry);
      else problems.add(t('The second "{0}" of {1} was left out.', name, spec.method));
    }
    if (typeof result['ttlMs'] === 'number') ttlMs = Math.min(ttlMs ?? Infinity, result['ttlMs']);
    const next = result['nextCursor'] ?? '';
    if (next === '' && !isCut) break;
    if (typeof next !== 'string') {
      problems.lead(
        t('The list was cut: its next cursor is of type {0} instead of text.', typeof next),
      );
      break;
    }
    if (cursors.has(next)) {
      problems.lead(
        t('The list was cut: the server repeats itself after {0} entries.', String(items.length)),
      );
      break;
    }
    if (next.length > maxCursorLength) {
      problems.lead(
        t('The list was cut: its next cursor has {0} characters.', String(next.length)),
      );
      break;
    }
    if (page + 1 >= maxPages || isFull()) {
      problems.lead(
        t('The list was cut after {0} pages with {1} entries.', String(page + 1), String(seen)),
      );
      break;
    }
    cursors.add(next);
    cursor = next;
    onPage?.(items);
  }
  return { items, problems: problems.sentences, ...(ttlMs !== undefined && { ttlMs }) };
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

/** Collects sentences up to a number, and counts the rest. */
class Problems {
  private readonly kept: string[] = [];
  private more = 0;
  private readonly t: Translate;

  constructor(t: Translate) {
    this.t = t;
  }

  add(sentence: string): void {
    if (this.kept.length < maxProblems) this.kept.push(truncate(sentence, maxProblemLength));
    else this.more += 1;
  }

  /** Puts what concerns the whole list before what concerns single entries. */
  lead(sentence: string): void {
    this.kept.unshift(sentence);
  }

  get sentences(): readonly string[] {
    return this.more === 0 ? this.kept : [...this.kept, this.t('And {0} more', String(this.more))];
  }
}
