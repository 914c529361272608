import assert from 'node:assert/strict';
import { CallQuestions } from '../../../../src/gate/ask/callQuestions';
import type { Answer, CallQuestion } from '../../../../src/gate/ask/callQuestion';
import type { DocumentQuestion } from '../../../../src/ui/documents/askedDocument';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import type { Questions } from '../../../../src/ui/questions/questions';
import { fakeServer, tool } from '../../../support/fakes/fakeServer';
import { newQuestions } from '../../../support/host/newQuestions';
import { watchPicks, type ShownPick, type WatchedPicks } from '../../../support/host/shownPicks';
import { poll } from '../../../support/poll';

const stay = () => {};

/** What the user does with the question before it is withdrawn, and the choice in its document by then. */
const turns: Readonly<Record<string, readonly [go: (pick: ShownPick) => void, choice?: string]>> = {
  'read its question': [stay],
  'look at its arguments': [(pick) => pick.press('Show Arguments in Editor')],
  'edit its arguments': [(pick) => pick.click('Edit Arguments…')],
  'have just allowed what they edited': [(pick) => pick.click('Edit Arguments…'), 'session'],
};

describe('a call that is taken back', function () {
  this.timeout(60_000);
  let picks: WatchedPicks;
  before(() => (picks = watchPicks()));
  after(() => picks.dispose());

  for (const [what, [go, choice]] of Object.entries(turns))
    it(`asks nothing more of users who ${what}, and nothing is kept of it`, async () => {
      const queue = newQuestions();
      const documents: DocumentQuestion[] = [];
      const ended: Promise<unknown>[] = [];
      const input = {
        ask: (document: DocumentQuestion) => {
          documents.push(document);
          const answer = { choice, text: '{}' };
          const left = new Promise<typeof answer>((resolve) => {
            document.signal?.addEventListener('abort', () => resolve(answer));
          });
          ended.push(left);
          return left;
        },
      } as unknown as DocumentInput;
      const settled: Answer[] = [];
      const asked = tool();
      const call = {
        server: fakeServer({ tools: [asked] }),
        tool: asked,
        arguments: {},
        origin: { kind: 'editor' },
      } as const;
      const question: CallQuestion = {
        call,
        proposed: {},
        concerns: [],
        canGoBack: false,
        asked: undefined,
        isOpen: () => Promise.resolve(true),
        settle: (answer) => {
          settled.push(answer);
          return Promise.resolve({ kind: 'ruled' });
        },
      };
      const stop = new AbortController();
      const questions = new CallQuestions(queue as unknown as Questions, input, () => 'deny');
      const outcome = questions.ask(question, stop.signal);
      const pick = await picks.next(/./);
      go(pick);
      if (go !== stay)
        await poll('its document', 20_000, () =>
          Promise.resolve(documents.length > 0 || undefined),
        );
      stop.abort();
      assert.equal((await outcome).kind, 'withdrawn');
      await Promise.all(ended);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual([picks.open, settled, queue.waiting], [[], [], []]);
    });
});
