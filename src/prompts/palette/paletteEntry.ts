import { plainLabel } from '../../base/text/text';
import { fingerprint } from '../../base/fingerprint';
import { displayName } from '../../mcp/protocol/types';
import type { PromptEntry } from '../promptEntry';
import { slashCommand, type SlashCommand } from './slashCommand';

/** An entry of the Command Palette that runs a prompt. */
export interface PaletteEntry {
  /** The id of the server and the name of the prompt. */
  readonly server: string;
  readonly prompt: string;
  /** Stable while the server's id and name and the prompt's name stay the same, so that a user can bind a key to it. */
  readonly command: string;
  readonly title: string;
  readonly category: string;
  /** The slash command that also runs the prompt, if it is published as one. */
  readonly slash?: SlashCommand;
  /** True if only the slash command is wanted. */
  readonly isUnlisted?: true;
}

const commandPrefix = 'mcpWorkbench.prompt.';

/** Makes the entry of a prompt, with texts that neither the manifest nor the palette interprets. */
export async function paletteEntry(
  { server, prompt }: PromptEntry,
  { isListed = true, isPublished = false } = {},
): Promise<PaletteEntry> {
  const hash = (await fingerprint([server.id, prompt.name])).slice(0, 12);
  const slug = [server.name, prompt.name].map(slugOf).filter(Boolean).join('.');
  return {
    server: server.id,
    prompt: prompt.name,
    command: `${commandPrefix}${slug ? `${slug}.` : ''}${hash}`,
    title: literal(displayName(prompt)) || literal(prompt.name) || hash,
    category: literal(server.name) || hash,
    ...(isPublished && { slash: slashCommand(server, prompt, hash) }),
    ...(!isListed && { isUnlisted: true }),
  };
}

/** Returns what distinguishes an entry from all others in a context key. */
export function entryMark({ command }: Pick<PaletteEntry, 'command'>): string {
  return command.slice(command.lastIndexOf('.') + 1);
}

/** True if both look the same and run the same prompt. */
export function sameEntry(a: PaletteEntry, b: PaletteEntry): boolean {
  return (
    a.command === b.command &&
    a.title === b.title &&
    a.category === b.category &&
    a.isUnlisted === b.isUnlisted &&
    JSON.stringify(a.slash) === JSON.stringify(b.slash)
  );
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
}

// A value of the form `%key%` in a manifest is replaced with a translation.
function literal(text: string): string {
  return plainLabel(text, 100).replace(/^%(?=.*%$)/, '\u2060%');
}
