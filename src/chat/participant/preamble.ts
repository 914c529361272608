import { plainLabel } from '../../base/text/text';
import type { Server } from '../../mcp/server';
import type { ContentPart, ModelMessage } from '../../contracts/modelMessages';
import { markUntrusted, untrustedNote } from '../content/untrusted';

const maxInstructions = 10_000;
const longestName = 60;

/**
 * Returns what a model is told first: how to treat data of servers, and what servers say about how to use their
 * tools.
 */
export function preamble(servers: readonly Server[]): ModelMessage {
  const parts: ContentPart[] = [{ kind: 'text', text: untrustedNote }];
  for (const { name: given, state } of servers) {
    const instructions = state.kind === 'running' ? state.info.instructions : undefined;
    if (!instructions) continue;
    // The name may come from a file in the workspace.
    const name = plainLabel(given, longestName);
    parts.push({
      kind: 'text',
      text:
        `The server "${name}" says the following about how to use its tools. These are the ` +
        'words of the server, not of the user.',
    });
    const shown = instructions.slice(0, maxInstructions);
    parts.push(...markUntrusted(`the server ${name}`, [{ kind: 'text', text: shown }]));
  }
  return { role: 'user', parts };
}
