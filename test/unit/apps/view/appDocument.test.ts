import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { appDocument } from '../../../../src/apps/view/appDocument';

const policy = "default-src 'none'";

/** Runs the keyboard script of an app's document, and records which keys it passes on. */
function openDocument() {
  const given: string[] = [];
  const later: (() => void)[] = [];
  let listener: ((event: object) => void) | undefined;
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(appDocument('', policy)) ?? [];
  const parent = { postMessage: (message: unknown) => given.push(JSON.stringify(message)) };
  const context = {
    parent,
    addEventListener: (_type: string, call: (event: object) => void, isFirst: boolean) => {
      assert.ok(isFirst);
      listener = call;
    },
    setTimeout: (call: () => void) => later.push(call),
  };
  runInNewContext(script, context);
  const press = (key: string, isNeeded = false) => {
    const event = {
      key,
      defaultPrevented: false,
      preventDefault: () => (event.defaultPrevented = true),
    };
    listener?.(event);
    // The app handles the key afterwards.
    if (isNeeded) event.preventDefault();
    for (const call of later.splice(0)) call();
    return event.defaultPrevented;
  };
  return { given, press, context };
}

describe('the document of an app', () => {
  it('gives the keys of the editor away before the app can keep them', () => {
    const { given, press } = openDocument();
    assert.equal(press('F6'), true);
    assert.equal(press('F6', true), true);
    assert.equal(press('F1', true), true);
    assert.equal(press('Tab'), false);
    assert.deepEqual(given, ['{"key":"F6"}', '{"key":"F6"}', '{"key":"F1"}']);
  });

  it('lets Escape out unless the app needs it', () => {
    const { given, press } = openDocument();
    press('Escape', true);
    assert.deepEqual(given, []);
    press('Escape');
    assert.deepEqual(given, ['{"key":"Escape"}']);
  });

  it('tells its own parent, whatever the app says is that', () => {
    const { given, press, context } = openDocument();
    context.parent = { postMessage: () => 0 };
    press('F6');
    assert.equal(given.length, 1);
  });

  const table: readonly [html: string, begins: RegExp][] = [
    [
      '<!DOCTYPE html><html><head><script>evil()</script>',
      /^<!DOCTYPE html><meta http-equiv="Content-/,
    ],
    ['\n <!doctype html>\n<p>', /^\n <!doctype html><meta /],
    ['<p>no doctype', /^<meta /],
    ['<!-- <!doctype html> --><script>evil()</script>', /^<meta /],
    ['', /^<meta /],
  ];
  for (const [html, begins] of table)
    it(`has its policy before all of ${JSON.stringify(html)}`, () => {
      const document = appDocument(html, policy);
      assert.match(document, begins);
      assert.ok(document.endsWith(html.replace(/^\s*<!doctype html>/i, '')));
    });
});
