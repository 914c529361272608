import { silentLogger } from '../../../src/base/log';
import { OfferedTools, ToolSelection } from '../../../src/offer/offeredTools';
import type { SelectToolsDeps } from '../../../src/chat/offer/selectTools';
import { ToolCosts } from '../../../src/chat/offer/toolCosts';
import type { Servers } from '../../../src/mcp/server';
import { newQuestions } from './newQuestions';
import { memoryStore } from './openChat';

/** Creates what choosing these servers' tools needs, with a queue that shows each question immediately. */
export function choosingOf(servers: Servers, store = memoryStore()) {
  const questions = Object.assign(newQuestions(), {
    unseen: { questions: [], text: '' },
    isAsking: false,
    workedElsewhere: () => false,
  });
  const selection = new ToolSelection(store);
  const chatTools = new OfferedTools({ servers, selection, log: silentLogger });
  return {
    servers,
    selection,
    questions,
    chatTools,
    costs: new ToolCosts(),
  } satisfies SelectToolsDeps;
}
