import assert from 'node:assert/strict';
import { BrowserSchemas } from '../../../src/browser/browserPlatform';
import type { SchemaTask } from '../../../src/mcp/schema/validation';

const task: SchemaTask = { schema: '{}', value: '1' };

/** A fake web worker that answers as `answer` says. */
class FakeWorker {
  static started = 0;
  static ended = 0;
  static answer: (worker: FakeWorker) => void = (worker) =>
    worker.say({ kind: 'valid', notes: [] });
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;

  constructor(file: string) {
    FakeWorker.started += 1;
    queueMicrotask(() =>
      file === 'gone.js' ? this.onerror?.({ message: 'Not there.' }) : this.say('ready'),
    );
  }

  say(data: unknown): void {
    queueMicrotask(() => this.onmessage?.({ data }));
  }

  postMessage(): void {
    FakeWorker.answer(this);
  }

  terminate(): void {
    FakeWorker.ended += 1;
  }
}

describe('checks in the worker of a browser', () => {
  const { answer } = FakeWorker;
  beforeEach(() => {
    Object.assign(globalThis, { Worker: FakeWorker });
    Object.assign(FakeWorker, { started: 0, ended: 0, answer });
  });
  after(() => Reflect.deleteProperty(globalThis, 'Worker'));

  it('share one worker, which is ended with them', async () => {
    const schemas = new BrowserSchemas('worker.js');
    const validations = await Promise.all([schemas.run(task), schemas.run(task)]);
    assert.deepEqual(
      validations.map(({ kind }) => kind),
      ['valid', 'valid'],
    );
    schemas.dispose();
    assert.deepEqual([FakeWorker.started, FakeWorker.ended], [1, 1]);
  });

  it('are given up where they take too long, and the next has another worker', async () => {
    const schemas = new BrowserSchemas('worker.js', 20);
    FakeWorker.answer = () => undefined;
    const validation = await schemas.run(task);
    assert.ok(validation.kind === 'unchecked' && validation.reason === 'time');
    FakeWorker.answer = answer;
    assert.equal((await schemas.run(task)).kind, 'valid');
    assert.deepEqual([FakeWorker.started, FakeWorker.ended], [2, 1]);
  });

  it('say that they could not be made where there is no worker', async () => {
    const validation = await new BrowserSchemas('gone.js').run(task);
    assert.ok(validation.kind === 'unchecked' && validation.reason === 'unavailable');
    assert.match(validation.detail ?? '', /Not there/);
  });
});
