import assert from 'node:assert/strict';
import type { Decision } from '../../../src/contracts/questionOutcome';
import type { ToolOutcome } from '../../../src/contracts/toolCalls';
import type { CallGate } from '../../../src/gate/toolGate';
import { deferred } from '../../../src/base/async';
import { poll } from '../../support/poll';
import { openChat } from '../../support/host/openChat';

const result = (text: string): ToolOutcome => ({
  kind: 'result',
  result: { content: [{ type: 'text', text }], isError: false },
  arguments: {},
  edited: false,
  problems: [],
});

/** A gate that makes this decision and returns this outcome. */
const gate =
  (decision: Decision, outcome: ToolOutcome): CallGate['run'] =>
  (_call, { onDecided }) => {
    onDecided?.(decision);
    return Promise.resolve(outcome);
  };

const call = (input: object = {}) => [[{ call: 'demo__tool', input }], ['Done.']];
const denyList = { kind: 'rule', setting: 'mcpWorkbench.tools.denyList' } as const;
const click = { kind: 'user', how: 'click' } as const;
/** Returns the text of Markdown without its escapes. */
const plain = (markdown: string) => markdown.replaceAll(/\\([^\w\s])/g, '$1');

describe('a call in the chat', () => {
  it('stands with its arguments, escaped and with hidden characters shown', async () => {
    const run = gate({ verdict: 'allowed', decidedBy: click }, result('ok'));
    const input = { path: '[a](command:x)\u202Etxt`.exe', long: 'x'.repeat(10_000) };
    const { shown } = await openChat({ rounds: call(input), run }).ask('Go');
    const [line = ''] = shown.split('\n');
    assert.match(line, /^demo › tool `\{"path":"\[a\]\u2060\(command:x\)⟨U\+202E⟩txt´\.exe"/);
    assert.ok(line.length < 400, String(line.length));
  });

  const givenAt = '2026-05-03T10:00:00.000Z';
  const decisions: readonly [what: string, Decision, ToolOutcome, shown: RegExp][] = [
    [
      'by click',
      { verdict: 'allowed', decidedBy: click },
      result('42'),
      /demo › tool was called \(allowed by you\): `42`/,
    ],
    [
      'by an approval',
      {
        verdict: 'allowed',
        decidedBy: { kind: 'approval', duration: 'workspace', coverage: 'tool', givenAt },
      },
      result('42'),
      /allowed by your approval of .*2026.* \(this tool, in this workspace\)/,
    ],
    [
      'by a rule',
      { verdict: 'denied', decidedBy: denyList },
      { kind: 'denied', decidedBy: denyList },
      /was not called \(denied by the setting mcpWorkbench\.tools\.denyList\)/,
    ],
    [
      'by nobody',
      { verdict: 'withdrawn', decidedBy: { kind: 'nobody', because: 'serverStopped' } },
      { kind: 'withdrawn', because: 'serverStopped' },
      /was not called \(withdrawn: the server stopped\)/,
    ],
  ];
  for (const [what, decision, outcome, pattern] of decisions)
    it(`says by what it was decided: ${what}`, async () => {
      const { shown } = await openChat({ rounds: call(), run: gate(decision, outcome) }).ask('Go');
      assert.match(plain(shown), pattern);
    });

  it('always has a link to its result, which runs nothing else', async () => {
    const run = gate({ verdict: 'allowed', decidedBy: click }, result('[x](command:evil) $(bug)'));
    const chat = openChat({ rounds: call(), run });
    const { links, shown } = await chat.ask('Go');
    const [link] = links;
    assert.equal(links.length, 1);
    assert.deepEqual(Object(link?.isTrusted), { enabledCommands: ['mcpWorkbench.showToolResult'] });
    const [, query = ''] =
      /^\[Show Result\]\(command:mcpWorkbench\.showToolResult\?([^)]*)\)/.exec(link?.value ?? '') ??
      [];
    const [id] = JSON.parse(decodeURIComponent(query)) as string[];
    assert.equal(chat.recentOutcomes.get(id ?? '')?.outcome.kind, 'result');
    assert.doesNotMatch(shown.replace(link?.value ?? '', ''), /\]\(command:/);
  });

  it('has no button for what its link shows, however much of its result the model was not given', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
    const outcome = result('seen');
    assert.ok(outcome.kind === 'result');
    const content = [...outcome.result.content, image];
    const run = gate(
      { verdict: 'allowed', decidedBy: click },
      { ...outcome, result: { ...outcome.result, content } },
    );
    const { links, buttons } = await openChat({ rounds: call(), run }).ask('Go');
    assert.equal(links.length, 1);
    assert.ok(!buttons.some(({ command }) => command === 'mcpWorkbench.showToolResult'));
  });

  it('that waits for the user says so in one line for all of a round', async () => {
    const answer = deferred<void>();
    let asked = 0;
    const run: CallGate['run'] = async (_call, { onAsk, onDecided }) => {
      onAsk?.();
      asked += 1;
      await answer.promise;
      onDecided?.({ verdict: 'allowed', decidedBy: click });
      return result('ok');
    };
    const rounds = [[{ call: 'demo__tool' }, { call: 'demo__tool' }], ['Done.']];
    const chat = openChat({ rounds, run });
    const answered = chat.ask('Go');
    await poll('the line', 10_000, () =>
      Promise.resolve(chat.shown().includes('2 calls wait for your answer') || undefined),
    );
    assert.equal(asked, 2);
    answer.resolve();
    const { shown } = await answered;
    assert.equal(shown.split('for your answer').length, 2);
  });

  it('that is answered at once leaves no line of waiting', async () => {
    const run: CallGate['run'] = (_call, { onAsk, onDecided }) => {
      onAsk?.();
      onDecided?.({ verdict: 'allowed', decidedBy: click });
      return Promise.resolve(result('ok'));
    };
    const { shown } = await openChat({ rounds: call(), run }).ask('Go');
    assert.doesNotMatch(shown, /for your answer/);
  });
});
