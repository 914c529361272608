import assert from 'node:assert/strict';
import { stderrLevel } from '../../../../src/mcp/connection/endingSentence';
import { processMs, leeway } from '../../../support/processes/ownLoad';

describe('the level of a line on stderr', () => {
  for (const [line, level] of [
    ['Server running on stdio', 'info'],
    ['2026-11-21 10:00:00,123 - app - ERROR - no database', 'error'],
    ['[WARN] deprecated', 'warn'],
    ['INFO:     Started', 'info'],
    ['DEBUG: x', 'debug'],
    ['{"level":"error","msg":"x"}', 'error'],
    ['ts=1 level=warn msg="x"', 'warn'],
    ['TypeError: x is not a function', 'error'],
    ['(node:12) ExperimentalWarning: x', 'warn'],
    ['Traceback (most recent call last):', 'error'],
    ['panic: runtime error', 'error'],
    ['No errors found', 'info'],
    ['the ERRORS are none', 'info'],
    ['', 'info'],
  ] as const)
    it(`is ${level}: ${line}`, () => assert.equal(stderrLevel(line), level));

  it('is found at once in a line without end', () => {
    const began = processMs();
    stderrLevel(`${'['.repeat(100_000)} ERROR`);
    stderrLevel('level '.repeat(100_000));
    assert.ok((processMs() - began) / leeway() < 100);
  });
});
