import assert from 'node:assert/strict';
import { isPausedAfter } from '../../../src/development/editorDebugger';

describe('a debuggee', () => {
  const event = (name: string) => ({ type: 'event', event: name });
  const response = (command: string, success = true) => ({ type: 'response', command, success });
  for (const [title, message, expected] of [
    ['is halted where it stopped', event('stopped'), true],
    ['runs where it continued', event('continued'), false],
    ['runs where the debugger has gone', event('terminated'), false],
    ['runs again after a step without an event', response('next'), false],
    ['runs again after continue without an event', response('continue'), false],
    ['is as before after a step that was refused', response('next', false), undefined],
    ['is as before after its variables were read', response('variables'), undefined],
    ['is as before after what it printed', event('output'), undefined],
    ['is as before after what is no message', 'stopped', undefined],
  ] as const)
    it(title, () => assert.equal(isPausedAfter(message), expected));
});
