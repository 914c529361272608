import type { PromptArguments } from './promptEntry';

/** A store of small values that outlives the session, as the editor's `Memento`. */
export interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const recentKey = 'prompts.recent';
const argumentsKey = 'prompts.arguments';
const recentLimit = 30;
const promptLimit = 300;
const valueLimit = 10_000;

/** What was run before: which prompts, and with which arguments. */
export class PromptHistory {
  private readonly store: Store;
  private readonly drafts = new Map<string, PromptArguments>();

  constructor(store: Store) {
    this.store = store;
  }

  /** The keys of the prompts that were run, the latest first. */
  get recent(): readonly string[] {
    const keys = this.store.get(recentKey);
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  }

  /** The arguments of the last run of a prompt, without secret-looking and very long ones. */
  lastArguments(key: string): PromptArguments {
    return this.remembered()[key] ?? {};
  }

  /** What was typed for a prompt that did not run to the end; kept in memory only. */
  draft(key: string): PromptArguments {
    return this.drafts.get(key) ?? {};
  }

  keepDraft(key: string, values: PromptArguments): void {
    this.drafts.set(key, values);
  }

  /** Puts a prompt first in {@link recent} and remembers its arguments. */
  async add(key: string, values: PromptArguments): Promise<void> {
    this.drafts.delete(key);
    await this.store.update(
      recentKey,
      [key, ...this.recent.filter((other) => other !== key)].slice(0, recentLimit),
    );
    const { [key]: _previous, ...others } = this.remembered();
    const kept = Object.entries(values).filter(
      ([name, value]) => !looksSecret(name) && value.length <= valueLimit,
    );
    const entries = [[key, Object.fromEntries(kept)] as const, ...Object.entries(others)];
    await this.store.update(argumentsKey, Object.fromEntries(entries.slice(0, promptLimit)));
  }

  private remembered(): Readonly<Record<string, PromptArguments>> {
    const value = this.store.get(argumentsKey);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, PromptArguments>>)
      : {};
  }
}

/** True for names of arguments whose values are never written down. */
export function looksSecret(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return /pass(word|wd|phrase|code)?\b|\bpwd\b|secret|token|credential|\bauth\b|\b(api|access|private|signing|encryption|ssh|client)[\s_.-]*key|\bpin\b|\bcvv\b|\botp\b/.test(
    words.replaceAll(/[_.-]+/g, ' '),
  );
}
