import { plainLabel } from '../../base/text/text';
import { listText, type Translate } from '../../base/translate';
import type { CreateMessageRequest } from '../../mcp/protocol/serverRequests';

/** What the editor says about a language model. */
export interface ModelFacts {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  /** How many tokens a request may have at most. */
  readonly maxInputTokens: number;
}

/** A model, and in a few words why it ranks where it does. */
export interface RankedModel<M extends ModelFacts> {
  readonly model: M;
  readonly reason: string;
}

/** What the order depends on besides the server's preferences. */
export interface RankOptions {
  /** About how many tokens the request has. */
  readonly tokens: number;
  /** The id of the model that the user chose for this server before. */
  readonly chosen?: string | undefined;
  readonly t: Translate;
}

type Preferences = NonNullable<CreateMessageRequest['modelPreferences']>;

interface Traits {
  readonly cost: number;
  readonly speed: number;
  readonly intelligence: number;
}

/**
 * Sorts models by how well they fit: the user's earlier choice first, then by the server's hints in their order, then
 * by its priorities; those for which the request is too long come last. The editor says nothing about price, speed, or
 * ability, so these are guessed from the names of the models.
 */
export function rankModels<M extends ModelFacts>(
  models: readonly M[],
  { hints = [], ...priorities }: Preferences,
  { tokens, chosen, t }: RankOptions,
): readonly RankedModel<M>[] {
  const names = hints.flatMap(({ name }) => (typeof name === 'string' && name ? name : []));
  const weighed = models.map((model) => {
    const hint = names.findIndex((name) => matches(model, name));
    return {
      model,
      tooLong: tokens > model.maxInputTokens,
      isChosen: model.id === chosen,
      hint: hint === -1 ? names.length : hint,
      score: score(traitsOf(model), priorities),
    };
  });
  const sorted = weighed.toSorted(
    (a, b) =>
      Number(a.tooLong) - Number(b.tooLong) ||
      Number(b.isChosen) - Number(a.isChosen) ||
      a.hint - b.hint ||
      b.score - a.score,
  );
  return sorted.map(({ model, tooLong, isChosen, hint }) => {
    const name = names[hint];
    if (tooLong) return { model, reason: t('the request is too long for it') };
    if (isChosen) return { model, reason: t('you chose it for this server') };
    if (name !== undefined)
      return { model, reason: t('the server suggests “{0}”', plainLabel(name, 60)) };
    if (models.length === 1) return { model, reason: t('the only model there is') };
    return { model, reason: prioritiesReason(model, priorities, t) };
  });
}

function matches({ id, name, family, vendor }: ModelFacts, hint: string): boolean {
  const wanted = squeeze(hint);
  return wanted !== '' && [id, name, family, vendor].some((text) => squeeze(text).includes(wanted));
}

/** Reduces a name to letters and digits: to a hint, `Claude Sonnet 4.5` and `claude-sonnet-4-5` are the same. */
function squeeze(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const small = /\b(nano|mini|lite|flash|haiku|small|tiny|fast|instant|turbo|[1-9]\d?b)\b/i;
const large = /\b(opus|ultra|pro|large|max|heavy|thinking|reasoning|o[1-9])\b/i;

function traitsOf({ id, name, family }: ModelFacts): Traits {
  const text = [id, name, family].join(' ').replaceAll(/[_-]/g, ' ');
  if (small.test(text)) return { cost: 0.9, speed: 0.9, intelligence: 0.3 };
  if (large.test(text)) return { cost: 0.2, speed: 0.2, intelligence: 0.9 };
  return { cost: 0.5, speed: 0.5, intelligence: 0.6 };
}

function score(traits: Traits, priorities: Omit<Preferences, 'hints'>): number {
  const { costPriority, speedPriority, intelligencePriority } = priorities;
  return (
    weight(costPriority) * traits.cost +
    weight(speedPriority) * traits.speed +
    weight(intelligencePriority) * traits.intelligence
  );
}

function weight(priority: unknown): number {
  return typeof priority === 'number' && priority > 0 ? Math.min(1, priority) : 0;
}

function prioritiesReason(
  model: ModelFacts,
  { costPriority, speedPriority, intelligencePriority }: Omit<Preferences, 'hints'>,
  t: Translate,
): string {
  const wanted = [
    [weight(costPriority), t('cheap')],
    [weight(speedPriority), t('fast')],
    [weight(intelligencePriority), t('capable')],
  ] as const;
  const names = wanted.filter(([priority]) => priority > 0).toSorted(([a], [b]) => b - a);
  if (names.length === 0) return t('in the editor’s order');
  const { cost, intelligence } = traitsOf(model);
  const kind =
    cost > 0.5 ? t('a small model') : intelligence > 0.8 ? t('a large model') : t('a medium model');
  const list = listText(
    names.map(([, name]) => name),
    t,
  );
  return t('{0} by its name; the server wants: {1}', kind, list);
}
