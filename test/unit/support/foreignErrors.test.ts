import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { isThrownBelow, keepForeignErrors } from '../../support/editor/foreignErrors';

const extensions = '/editor/extensions';

/** An error with these places in its stack, the innermost first. */
const thrownAt = (...places: readonly string[]): Error =>
  Object.assign(new Error('Refused'), {
    stack: ['Error: Refused', ...places.map((place) => `    at call (${place}:1:2)`)].join('\n'),
  });

describe('an uncaught error in the extension host', () => {
  const debuggers = `${extensions}/debugger/main.js`;
  const ours = '/project/dist/extension.js';
  for (const [what, error, isForeign] of [
    ['of an extension of the editor', thrownAt(debuggers), true],
    ['of an extension, below calls of the runtime', thrownAt('node:net', debuggers), true],
    ['of an extension that ours called', thrownAt(debuggers, ours), true],
    ['of ours', thrownAt(ours), false],
    ['of ours that an extension called', thrownAt('node:events', ours, debuggers), false],
    ['of the runtime alone', thrownAt('node:net'), false],
    ['that names an extension only', new Error(`No file ${debuggers}`), false],
    ['without a stack', Object.assign(new Error('Refused'), { stack: undefined }), false],
    ['that is no error', debuggers, false],
  ] as const)
    it(`${what} is ${isForeign ? 'kept from' : 'heard by'} the tests, while they run`, async () => {
      const host = new EventEmitter();
      const heard: unknown[] = [];
      const before: unknown[] = [];
      const listen = (list: unknown[]) =>
        host.on('uncaughtException', (one: unknown) => list.push(one));
      listen(before);
      await keepForeignErrors(
        (one) => isThrownBelow(extensions, one),
        async () => {
          listen(heard);
          await Promise.resolve();
          host.emit('uncaughtException', error);
        },
        host,
      );
      const ofTests = isForeign ? [] : [error];
      assert.deepEqual([heard, before], [ofTests, [error]]);
      host.emit('uncaughtException', error);
      assert.deepEqual([heard, before], [ofTests, [error, error]]);
    });
});
