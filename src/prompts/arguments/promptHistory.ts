import { asRecord } from '../../base/json';
import type { Memento } from '../../base/memento';
import { looksSecret, redactSecrets } from '../../base/secrets';
import { type DeliveryTarget, deliveryTargets } from '../delivery/targets';
import type { PromptArguments } from '../promptEntry';

const recentKey = 'prompts.recent';
const argumentsKey = 'prompts.arguments';
const draftsKey = 'prompts.drafts';
const targetsKey = 'prompts.actions';
const previewedKey = 'prompts.previewed';
const recentLimit = 30;
const promptLimit = 300;
const valueLimit = 10_000;

/** The history of prompts: which ones ran, with which arguments, and which messages were previewed. */
export class PromptHistory {
  private readonly store: Memento;
  private readonly drafts = new Map<string, PromptArguments>();
  private readonly unfinished = new Map<string, string>();

  constructor(store: Memento) {
    this.store = store;
  }

  /** The keys of the prompts that were run, most recent first. */
  get recent(): readonly string[] {
    return this.list(recentKey);
  }

  /** The arguments of the last run of a prompt, without secret-looking and very long ones. */
  lastArguments(key: string): PromptArguments {
    return this.table(argumentsKey)[key] ?? {};
  }

  /** Returns what was typed for a prompt that did not run to the end; after a reload, without secrets and very long values. */
  draft(key: string): PromptArguments {
    return this.drafts.get(key) ?? this.table(draftsKey)[key] ?? {};
  }

  /** Returns an arguments document left unparsable in this window, if any; it is not stored, since it may contain secrets. */
  unfinishedDocument(key: string): string | undefined {
    return this.unfinished.get(key);
  }

  /** Keeps what was typed; `unfinished` is the text of a document that cannot be parsed. */
  async keepDraft(key: string, values: PromptArguments, unfinished?: string): Promise<void> {
    this.drafts.set(key, values);
    if (unfinished === undefined) this.unfinished.delete(key);
    else this.unfinished.set(key, unfinished);
    await this.remember(draftsKey, key, values);
  }

  /** Moves a prompt to the front of {@link recent}, stores its arguments under `key`, and discards its draft. */
  async add(prompt: string, key: string, values: PromptArguments): Promise<void> {
    this.drafts.delete(key);
    this.unfinished.delete(key);
    await this.prepend(recentKey, prompt, recentLimit);
    await this.remember(argumentsKey, key, values);
    await this.remember(draftsKey, key, {});
  }

  /** Removes the prompts of a server from {@link recent}. */
  async forgetOf(serverId: string): Promise<void> {
    const others = this.recent.filter((key) => !key.startsWith(`[${JSON.stringify(serverId)},`));
    if (others.length < this.recent.length) await this.store.update(recentKey, others);
  }

  /** Returns where the messages of a prompt go by default: the user's last choice, or the chat if there is none. */
  nextTarget(key: string): DeliveryTarget {
    const kept = asRecord(this.store.get(targetsKey))[key];
    return deliveryTargets.find((target) => target === kept) ?? 'chat';
  }

  async keepTarget(key: string, target: DeliveryTarget): Promise<void> {
    const { [key]: _, ...others } = asRecord(this.store.get(targetsKey));
    const entries = [[key, target] as const, ...Object.entries(others)];
    await this.store.update(targetsKey, Object.fromEntries(entries.slice(0, promptLimit)));
  }

  /** True if messages with this fingerprint were previewed. */
  wasPreviewed(fingerprint: string): boolean {
    return this.list(previewedKey).includes(fingerprint);
  }

  async addPreviewed(fingerprint: string): Promise<void> {
    await this.prepend(previewedKey, fingerprint, promptLimit);
  }

  private list(at: string): readonly string[] {
    const value = this.store.get(at);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  private async prepend(at: string, item: string, limit: number): Promise<void> {
    const others = this.list(at).filter((other) => other !== item);
    await this.store.update(at, [item, ...others].slice(0, limit));
  }

  private table(at: string): Readonly<Record<string, PromptArguments>> {
    const value = this.store.get(at);
    return asRecord(value) as Readonly<Record<string, PromptArguments>>;
  }

  private async remember(at: string, key: string, values: PromptArguments): Promise<void> {
    const { [key]: previous, ...others } = this.table(at);
    const kept = Object.entries(values).filter(
      ([name, value]) =>
        !looksSecret(name) && value.length <= valueLimit && redactSecrets(value) === value,
    );
    if (kept.length === 0 && previous === undefined) return;
    const entries = [
      ...(kept.length > 0 ? [[key, Object.fromEntries(kept)] as const] : []),
      ...Object.entries(others),
    ];
    await this.store.update(at, Object.fromEntries(entries.slice(0, promptLimit)));
  }
}
