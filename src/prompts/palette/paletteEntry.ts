import { plainLabel, wordsLabel } from '../../base/text/text';
import { fingerprint } from '../../base/bytes';
import { type Prompt, displayName } from '../../mcp/protocol/types';
import type { PromptEntry } from '../promptEntry';
import { isRecord } from '../../base/json';

/** A prompt as a slash command for any chat: a skill that tells the model to run it. */
interface SlashCommand {
  /** The text after the slash: lowercase letters, digits, and hyphens. */
  readonly name: string;
  readonly description: string;
  /** The names of the arguments, as a hint after the name. */
  readonly hint: string;
}

/** The name, declared in the manifest, by which other chats know the tool that runs published prompts. */
export const runPromptTool = 'mcpWorkbench_runPrompt';

const longestName = 64;
const longestHint = 100;

/** Makes the slash command of a prompt; `hash` distinguishes it from others with a similar name. */
export function slashCommand(
  server: { readonly name: string },
  prompt: Prompt,
  hash: string,
): SlashCommand {
  const slug = `${server.name}-${prompt.name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const end = `-${hash.slice(0, 6)}`;
  const name = slug.slice(0, longestName - end.length).replaceAll(/^-|-$/g, '');
  const title = wordsLabel(prompt.description || displayName(prompt), 200);
  const names = (prompt.arguments ?? []).map(({ name: one, required }) =>
    required ? plainLabel(one, 40) : `[${plainLabel(one, 40)}]`,
  );
  return {
    name: `${name || 'prompt'}${end}`,
    description: `${title} (${plainLabel(server.name, 60)})`,
    hint: names.join(' ').slice(0, longestHint),
  };
}

/** True if a value read from a manifest looks like the result of {@link slashCommand}; its name becomes a folder. */
export function isSlashCommand(value: unknown): value is SlashCommand {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    /^[a-z0-9-]{1,64}$/.test(value['name']) &&
    typeof value['description'] === 'string' &&
    typeof value['hint'] === 'string'
  );
}

/** Returns the path of a slash command's skill in the package. */
export function skillPath({ name }: SlashCommand): string {
  return `skills/${name}/SKILL.md`;
}

/** Returns the skill, which models do not invoke by themselves; what a server wrote appears in it only as quoted JSON. */
export function skillFile(
  { name, description, hint }: SlashCommand,
  of: { readonly server: string; readonly prompt: string },
): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
argument-hint: ${JSON.stringify(hint)}
disable-model-invocation: true
user-invocable: true
---

The user wants to run a prompt of an MCP server. Call the tool \`${runPromptTool}\` (\`runMcpPrompt\`) once, with exactly this input:

\`\`\`json
${JSON.stringify({ server: of.server, prompt: of.prompt })}
\`\`\`

It asks the user for the arguments of the prompt and gives its messages. Then do what these ask for, as if the user had written those
of the user. If there is no such tool, say that MCP Workbench is not running in this window, and do nothing else.
`;
}

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
