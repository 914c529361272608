import { ownValue } from '../base/ownValue';
import { fingerprint } from '../mcp/fingerprint';
import type { Prompt } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';

/** A prompt together with the server that offers it. */
export interface PromptEntry {
  readonly server: Server;
  readonly prompt: Prompt;
}

/** The arguments of a prompt by name; one that was left out has no entry. */
export type PromptArguments = Readonly<Record<string, string>>;

/** The value of one argument, whatever the server calls it: a name may be one that every object has. */
export function givenValue(values: PromptArguments, name: string): string | undefined {
  return ownValue(values, name);
}

/** Says which prompt is meant, over restarts of the editor and changes of its definition. */
export function promptKey(entry: {
  readonly server: { readonly id: string };
  readonly prompt: { readonly name: string };
}): string {
  return JSON.stringify([entry.server.id, entry.prompt.name]);
}

/** By what arguments are remembered: what was typed for one launch is shown to no other that took over its id. */
export async function argumentsKey({ server, prompt }: PromptEntry): Promise<string> {
  return (await fingerprint([await server.launchFingerprint(), prompt.name])).slice(0, 32);
}

/** Every prompt of the servers, in their order; of two with one name on a server the first. */
export function promptEntries(servers: readonly Server[]): readonly PromptEntry[] {
  const entries = new Map<string, PromptEntry>();
  for (const server of servers)
    for (const prompt of server.prompts.items) {
      const entry = { server, prompt };
      const key = promptKey(entry);
      if (!entries.has(key)) entries.set(key, entry);
    }
  return [...entries.values()];
}

/** The entries that were used, the latest first, and the rest in its order; `keys` as used. */
export function byRecency(
  entries: readonly PromptEntry[],
  keys: readonly string[],
): { readonly recent: readonly PromptEntry[]; readonly rest: readonly PromptEntry[] } {
  const byKey = new Map(entries.map((entry) => [promptKey(entry), entry]));
  const recent = keys.flatMap((key) => byKey.get(key) ?? []);
  const used = new Set(recent);
  return { recent, rest: entries.filter((entry) => !used.has(entry)) };
}
