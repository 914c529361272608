import { ownValue } from '../base/json';
import { fingerprint } from '../base/bytes';
import type { Prompt } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';

/** A prompt together with the server that offers it. */
export interface PromptEntry {
  readonly server: Server;
  readonly prompt: Prompt;
}

/** The arguments of a prompt by name; one that was left out has no entry. */
export type PromptArguments = Readonly<Record<string, string>>;

/** Returns the value of an argument, even if its name is that of a property that every object has. */
export function givenValue(values: PromptArguments, name: string): string | undefined {
  return ownValue(values, name);
}

/** Returns a key that identifies a prompt across restarts of the editor and changes to its definition. */
export function promptKey(entry: {
  readonly server: { readonly id: string };
  readonly prompt: { readonly name: string };
}): string {
  return JSON.stringify([entry.server.id, entry.prompt.name]);
}

/** Returns the key of a prompt's remembered arguments; it depends on the launch, so another one with the same id sees none. */
export async function argumentsKey({ server, prompt }: PromptEntry): Promise<string> {
  return (await fingerprint([await server.launchFingerprint(), prompt.name])).slice(0, 32);
}

/** Returns every prompt of the servers, in order; if a server has two with the same name, only the first. */
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

/** Splits entries into those used before, in the order of `keys` (most recent first), and the rest in their own order. */
export function byRecency(
  entries: readonly PromptEntry[],
  keys: readonly string[],
): { readonly recent: readonly PromptEntry[]; readonly rest: readonly PromptEntry[] } {
  const byKey = new Map(entries.map((entry) => [promptKey(entry), entry]));
  const recent = keys.flatMap((key) => byKey.get(key) ?? []);
  const used = new Set(recent);
  return { recent, rest: entries.filter((entry) => !used.has(entry)) };
}
