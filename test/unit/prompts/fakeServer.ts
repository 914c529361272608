import { Emitter } from '../../../src/base/event';
import type { ListStatus } from '../../../src/mcp/lists/liveList';
import type { Prompt } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';

/** A server of which only the id, the name and the prompts are there. */
export function fakeServer(
  id: string,
  prompts: readonly Prompt[],
  status: ListStatus = 'loaded',
): Server {
  const list = {
    items: prompts,
    status,
    error: undefined,
    problems: [],
    onDidChange: new Emitter<void>().event,
    refresh: () => Promise.resolve(),
  };
  return { id, name: id, prompts: list } as Partial<Server> as Server;
}
