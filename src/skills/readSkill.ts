import { looksBinary } from '../base/media/mediaTypes';
import { revealHidden } from '../base/text/text';
import { contentBytes } from '../mcp/protocol/content';
import { pathInSkill, type Skill, type SkillFile } from '../mcp/protocol/skills';
import type { Server } from '../mcp/server';

/** A file of a skill as it was read, and checked against its digest. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A skill whose files are known and can be checked. */
export type StaticSkill = Skill & { readonly resources: readonly SkillFile[] };

/** Longer files are cut where all of them are shown together, in UTF-16 units. */
const longestShown = 100_000;

/** Reads all files of a skill; rejects where one is not what the skill lists. */
export async function readSkillFiles(
  server: Server,
  skill: StaticSkill,
  signal: AbortSignal,
): Promise<readonly ReadFile[]> {
  const files: ReadFile[] = [];
  for (const { uri } of skill.resources) {
    const { contents } = await server.readResource(uri, { signal });
    const [content = { uri }] = contents;
    files.push({ path: pathInSkill(uri, skill) ?? uri, bytes: contentBytes(content) });
  }
  return files;
}

/** Files one after another as a text, those that are no text by their size. */
export function filesText(files: Iterable<readonly [path: string, bytes: Uint8Array]>): string {
  return [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => `──── ${path} (${bytes.length} bytes)\n\n${shown(bytes)}\n`)
    .join('\n');
}

function shown(bytes: Uint8Array): string {
  if (looksBinary(bytes)) return '(not text)';
  const text = revealHidden(new TextDecoder().decode(bytes));
  if (text.length <= longestShown) return text;
  return `${text.slice(0, longestShown)}\n… ${text.length - longestShown} characters more`;
}
