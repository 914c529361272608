import assert from 'node:assert/strict';
import type { CallToolResult } from '../../../../src/mcp/protocol/types';
import type { ToolOutcome } from '../../../../src/contracts/toolCalls';
import type { LocalizableMessage } from '../../../../src/base/translate';
import { CutTexts } from '../../../../src/chat/content/cutTexts';
import { outcomeContent } from '../../../../src/chat/content/modelContent';
import { deepJson, tooDeep } from '../../../support/fakes/deepJson';

const result = (
  part: Partial<CallToolResult>,
  problems: readonly LocalizableMessage[] = [],
): ToolOutcome => ({
  kind: 'result',
  result: { content: [], isError: false, ...part },
  arguments: {},
  edited: false,
  problems,
});

describe('What a model is told of a call', () => {
  const rows: readonly [what: string, outcome: ToolOutcome, told: readonly string[]][] = [
    [
      'has the text and the structured content, labelled',
      result({ content: [{ type: 'text', text: 'three' }], structuredContent: { n: 3 } }),
      ['three', 'Structured content: {"n":3}'],
    ],
    [
      'names an error of the tool as one',
      result({ content: [{ type: 'text', text: 'no such file' }], isError: true }),
      ['The tool reported an error:', 'no such file'],
    ],
    [
      'says where the result is not what was promised',
      result({}, [() => 'It does not fit.']),
      ['Note: It does not fit.'],
    ],
    [
      'has the reason of a denial',
      { kind: 'denied', decidedBy: { kind: 'user', how: 'key' }, reason: 'Use the other.' },
      ['The call was denied by the user. The reason given: Use the other.'],
    ],
    [
      'says that a rule denied it',
      { kind: 'denied', decidedBy: { kind: 'rule', setting: 'mcpWorkbench.tools.denyList' } },
      ['The call was denied by a rule.'],
    ],
    [
      'has the failure',
      { kind: 'failed', message: () => 'The server ended.' },
      ['The call failed: The server ended.'],
    ],
    [
      'says that nobody decided where the question was withdrawn',
      { kind: 'withdrawn', because: 'cancelled' },
      ['The call was withdrawn: it was cancelled. Nothing was sent, and the user did not decide.'],
    ],
    ['says that it was cancelled', { kind: 'cancelled' }, ['The call was cancelled.']],
    [
      'says that it runs on',
      { kind: 'background', ended: Promise.resolve({ kind: 'cancelled' }) },
      ['The call runs on in the background; its result is not there yet.'],
    ],
  ];
  it('says of structured content that is nested too deep that it is, in kept texts too', () => {
    const content = outcomeContent({
      kind: 'result',
      result: { content: [], structuredContent: deepJson(), isError: false },
      arguments: {},
      edited: false,
      problems: [],
    });
    const { parts } = new CutTexts().shorten('here', content, 1000);
    assert.match(JSON.stringify(parts), tooDeep);
  });

  for (const [what, outcome, told] of rows)
    it(what, () => {
      const { parts } = outcomeContent(outcome);
      assert.deepEqual(
        parts.map((part) => (part.kind === 'text' ? part.text : part.kind)),
        told,
      );
    });

  it('names what it cannot be given', () => {
    const data = Buffer.from('RIFF').toString('base64');
    const { parts, leftOut } = outcomeContent(
      result({ content: [{ type: 'audio', data, mimeType: 'audio/wav' }] }),
    );
    assert.equal(parts.filter(({ kind }) => kind === 'data').length, 0);
    assert.equal(leftOut.length, 1);
  });
});
