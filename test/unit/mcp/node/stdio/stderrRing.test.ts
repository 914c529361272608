import assert from 'node:assert/strict';
import { StderrRing } from '../../../../../src/mcp/node/stdio/stderrRing';

function open() {
  const heard: string[] = [];
  const ring = new StderrRing((line) => heard.push(line));
  return { ring, heard, write: (text: string) => ring.push(Buffer.from(text)) };
}

describe('the last words of a process', () => {
  it('are its last lines, the oldest first', () => {
    const { ring, write } = open();
    write('one\ntwo\nth');
    write('ree\nfour\n');
    assert.equal(ring.last(3), 'two\nthree\nfour');
  });

  it('leave out empty lines', () => {
    const { ring, write, heard } = open();
    write('one\n\n  \r\n\ttwo\n');
    assert.equal(ring.last(9), 'one\n\ttwo');
    assert.deepEqual(heard, ['one', '\ttwo']);
  });

  it('are passed on line by line as they come', () => {
    const { write, heard } = open();
    write('one\ntw');
    assert.deepEqual(heard, ['one']);
    write('o\n');
    assert.deepEqual(heard, ['one', 'two']);
  });

  it('include what it did not end with a line feed', () => {
    const { ring, write, heard } = open();
    write('fatal: no configuration');
    ring.end();
    assert.equal(ring.last(1), 'fatal: no configuration');
    assert.deepEqual(heard, ['fatal: no configuration']);
  });

  it('are fifty lines at most, however many there were', () => {
    const { ring, write } = open();
    for (let line = 0; line < 10_000; line += 1) write(`line ${line}\n`);
    const kept = ring.last(1000).split('\n');
    assert.equal(kept.length, 50);
    assert.equal(kept.at(0), 'line 9950');
    assert.equal(kept.at(-1), 'line 9999');
  });

  it('are cut where a line is endless, with its size', () => {
    const { ring, write } = open();
    for (let chunk = 0; chunk < 100; chunk += 1) write('x'.repeat(10_000));
    write('\nlast\n');
    const [cut, last] = ring.last(2).split('\n');
    assert.match(cut ?? '', /^x{512}… \(1000000 bytes\)$/);
    assert.equal(last, 'last');
  });
});
