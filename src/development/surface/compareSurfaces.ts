import { nextTurn } from '../../base/async';
import type { Translate } from '../../base/translate';
import { listKinds } from '../../mcp/lists/listSpecs';
import type { Prompt, Tool } from '../../mcp/protocol/types';
import { canonicalJson } from '../../mcp/serverConfig';
import { schemaBreaks } from './schemaBreaks';
import { entriesOf, infoParts, type SurfacePart, type Surface } from './surface';

/** One entry of a surface that changed, is new, or is gone. */
export interface SurfaceChange {
  readonly kind: 'changed' | 'new' | 'gone';
  readonly part: SurfacePart;
  /** What identifies the entry in its list; empty if the part is not a list. */
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Why existing uses of the entry may fail now, one sentence each. */
  readonly breaks: readonly string[];
}

/** After this many entries, other work in the window gets a turn. */
const entriesPerTurn = 200;

/** Returns where two surfaces differ, in the order of their parts; the order of entries does not count. */
export async function compareSurfaces(
  before: Surface,
  after: Surface,
  t: Translate,
): Promise<readonly SurfaceChange[]> {
  const changes: SurfaceChange[] = [];
  let compared = 0;
  for (const part of [...infoParts, ...listKinds]) {
    const [was, is] = [entriesOf(before, part), entriesOf(after, part)];
    for (const name of new Set([...was.keys(), ...is.keys()])) {
      compared += 1;
      if (compared % entriesPerTurn === 0) await nextTurn();
      const change = compareEntries(part, name, was.get(name), is.get(name), t);
      if (change) changes.push(change);
    }
  }
  return changes;
}

function compareEntries(
  part: SurfacePart,
  name: string,
  before: unknown,
  after: unknown,
  t: Translate,
): SurfaceChange | undefined {
  if (before === undefined) return { kind: 'new', part, name, after, breaks: [] };
  if (after === undefined) return { kind: 'gone', part, name, before, breaks: goneBreaks(part, t) };
  if (canonicalJson(before) === canonicalJson(after)) return undefined;
  return { kind: 'changed', part, name, before, after, breaks: breaksOf(part, before, after, t) };
}

/** Resources come and go like data, and nothing depends on instructions. */
function goneBreaks(part: SurfacePart, t: Translate): readonly string[] {
  const isUsedByName = part === 'tools' || part === 'prompts' || part === 'resourceTemplates';
  return isUsedByName ? [t('It is gone.')] : [];
}

function breaksOf(
  part: SurfacePart,
  before: unknown,
  after: unknown,
  t: Translate,
): readonly string[] {
  if (part === 'tools') return toolBreaks(before as Tool, after as Tool, t);
  if (part === 'prompts') return promptBreaks(before as Prompt, after as Prompt, t);
  if (part === 'capabilities')
    return Object.keys(before as object)
      .filter((name) => !Object.hasOwn(after as object, name))
      .map((name) => t('The capability "{0}" is gone.', name));
  return [];
}

function toolBreaks(before: Tool, after: Tool, t: Translate): readonly string[] {
  const outputs =
    before.outputSchema && !after.outputSchema
      ? [t('It no longer has an output schema.')]
      : schemaBreaks('output', before.outputSchema, after.outputSchema, t);
  return [...schemaBreaks('input', before.inputSchema, after.inputSchema, t), ...outputs];
}

function promptBreaks(before: Prompt, after: Prompt, t: Translate): readonly string[] {
  const { arguments: was = [] } = before;
  const { arguments: is = [] } = after;
  const isRequired = (all: typeof is, name: string) =>
    all.some((one) => one.name === name && one.required);
  return [
    ...was
      .filter(({ name }) => is.every((one) => one.name !== name))
      .map(({ name }) => t('The argument {0} is gone.', `"${name}"`)),
    ...is
      .filter(({ name, required }) => required && !isRequired(was, name))
      .map(({ name }) => t('{0} is required now.', `"${name}"`)),
  ];
}
