import type { Tool } from './protocol';
import type { Server } from './server';
import { canonicalJson, type ServerConfig } from './serverConfig';

/** Everything that a person relies on when allowing a tool: how its server is launched and what it says. */
export interface ToolIdentity {
  readonly launch: ServerConfig;
  readonly instructions: string | undefined;
  readonly definition: Pick<
    Tool,
    'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations' | '_meta'
  >;
}

/** The identity of `tool` as its running server defines it now. */
export function toolIdentity(server: Server, tool: Tool): ToolIdentity {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = tool;
  return {
    launch: server.definition.config,
    instructions: server.state.kind === 'running' ? server.state.info.instructions : undefined,
    definition: {
      name,
      inputSchema,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(outputSchema !== undefined && { outputSchema }),
      ...(annotations !== undefined && { annotations }),
      ...(_meta !== undefined && { _meta }),
    },
  };
}

/** The SHA-256 of a JSON value in hexadecimal; the order of an object's keys does not matter. */
export async function fingerprint(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
