import assert from 'node:assert/strict';
import { parseTree, stripComments, type ParseError } from 'jsonc-parser';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { toolIdentity } from '../../../src/mcp/serverIdentity';
import type { ServerInfo } from '../../../src/mcp/serverState';
import { LastArguments } from '../../../src/tools/run/lastArguments';
import { RecentCalls } from '../../../src/gate/recentCalls';
import type { RunDeps } from '../../../src/tools/run/runToolCommand';
import { showToolPage } from '../../../src/tools/run/toolPage';
import { toolSection } from '../../../src/tools/toolSection';
import type {
  CallInView,
  RunToolOptions,
  ToolCall,
  ToolOutcome,
} from '../../../src/contracts/toolCalls';
import type { JsonObject, JsonSchema, Tool } from '../../../src/mcp/protocol/types';
import type { DocumentAnswer, DocumentQuestion } from '../../../src/ui/documents/askedDocument';
import { byUser } from '../../../src/ui/questions/question';
import { addSchemaLine, removeSchemaLine } from '../../../src/ui/documents/schemaLine';
import type { TreeNode } from '../../../src/ui/tree';
import { createMemento } from '../../support/fakes/memento';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

const answered = (text: string): ToolOutcome => ({
  kind: 'result',
  result: { content: [{ type: 'text', text }], isError: false },
  arguments: {},
  edited: false,
  problems: [],
});

/** Opens the page of a tool, lets `use` do with it what a user does, and closes it with the text that is returned. */
async function openPage(
  inputSchema: JsonSchema,
  use: (page: DocumentQuestion) => Promise<string> | string,
  kept: (last: LastArguments, launch: string) => Promise<void> = async () => {},
  outcomeOf: (nth: number) => ToolOutcome | Promise<ToolOutcome> = (nth) =>
    answered(`answer ${nth}`),
  {
    execution,
    description = 'x\u202Ey',
    capabilities = {},
  }: Pick<Tool, 'execution' | 'description'> & Partial<ServerInfo> = {},
) {
  const one = tool({
    name: 'one',
    description,
    inputSchema,
    ...(execution && { execution }),
  });
  const server = fakeServer({ tools: [one] });
  server.become({ kind: 'running', info: { protocolVersion: '2025-11-25', capabilities } });
  const [row] = toolSection.nodes(server, { id: 'tools' } as TreeNode, 10);
  const last = new LastArguments(createMemento());
  const launch = await server.launchFingerprint();
  await kept(last, launch);
  const called: JsonObject[] = [];
  const asTask: unknown[] = [];
  const metas: unknown[] = [];
  const shown: unknown[] = [];
  const seen: unknown[] = [];
  const recentCalls = new RecentCalls();
  const deps = {
    last,
    gate: {
      run: async (call: ToolCall, { inView }: RunToolOptions) => {
        called.push(call.arguments);
        asTask.push(call.asTask);
        metas.push(call.meta);
        seen.push(inView);
        const outcome = await outcomeOf(called.length);
        if (outcome.kind !== 'denied') recentCalls.note(String(called.length), call, outcome);
        return outcome;
      },
    },
    questions: {
      turnedAway: () => false,
      ask: async () => ({ kind: 'answered', answer: '60000' }),
    },
    outcomes: { show: async (...ran: unknown[]) => void shown.push(ran) },
    recentCalls,
    input: {
      ask: async (page: DocumentQuestion): Promise<DocumentAnswer> => ({
        choice: undefined,
        text: await use(page),
      }),
    },
  } as unknown as RunDeps;
  await showToolPage(byUser(), row, deps);
  const identity = await toolIdentity(server, one);
  return {
    called,
    asTask,
    metas,
    shown,
    seen,
    server,
    identity,
    recentCalls,
    left: last.getLeft(launch, 'one'),
  };
}

const act = async ({ choices, text }: DocumentQuestion, id: string, edited = text) =>
  choices.find((one) => one.id === id)?.act?.(byUser(), edited);
const idsOf = ({ choices }: DocumentQuestion) => choices.map(({ id }) => id);
const schema = {
  type: 'object',
  required: ['path', 'depth', 'kind'],
  properties: {
    path: { type: 'string' },
    depth: { type: 'integer' },
    kind: { type: 'string', default: 'file' },
    more: { type: 'string' },
  },
};

/** Runs something and returns what it copied as well. */
async function copying<T>(run: () => Promise<T>) {
  let text = '';
  const { clipboard } = vscode.env;
  const writeText = async (copied: string) => void (text = copied);
  Object.assign(vscode.env, { clipboard: { writeText } });
  try {
    const value = await run();
    return { value, text };
  } finally {
    Object.assign(vscode.env, { clipboard });
  }
}

describe('the page of a tool', () => {
  const texts: readonly [what: string, values: JsonObject, expected: object][] = [
    ['which are required', {}, { path: '', depth: null, kind: 'file' }],
    [
      'with the values of the last call',
      { path: '/a', more: 'b' },
      { depth: null, kind: 'file', path: '/a', more: 'b' },
    ],
  ];
  it('begins with the values of the form, of each kind', async () => {
    const properties = {
      text: { type: 'string' },
      role: { type: 'string', enum: ['admin', 'guest'] },
      flag: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      rows: { type: 'array', items: { type: 'object' } },
      who: {
        type: 'object',
        required: ['name', 'address'],
        properties: {
          name: { type: 'string' },
          nick: { type: 'string' },
          address: { type: 'object', required: ['zip'], properties: { zip: { type: 'integer' } } },
        },
      },
      one: { const: 1 },
      unit: { type: 'string', default: 'cm' },
      size: { $ref: '#/$defs/size' },
    };
    const required = Object.keys(properties);
    const $defs = { size: { type: 'number', default: 3 } };
    await openPage({ type: 'object', properties, required, $defs }, ({ text }) => {
      assert.match(text, /\n {2}\/\/ Can be added: _meta\n/);
      assert.deepEqual(JSON.parse(stripComments(text)), {
        text: '',
        role: '',
        flag: null,
        tags: [],
        rows: [{}],
        who: { name: '', address: { zip: null } },
        one: 1,
        unit: 'cm',
        size: 3,
      });
      return text;
    });
  });

  for (const [what, values, expected] of texts)
    it(`has all arguments in one document, ${what}`, async () => {
      let text = '';
      const page = (asked: DocumentQuestion) => (text = asked.text);
      await openPage(schema, page, (last, launch) => last.keep(launch, 'one', values));
      assert.deepEqual(JSON.parse(stripComments(text)), expected);
    });

  const optional = { type: 'object', properties: { 'a */ b\n': {}, more: { type: 'string' } } };
  for (const [values, line] of [
    [{}, '{\n  // x⟨U+202E⟩y\n  // Can be added: a */ b , more, _meta\n}\n'],
    [{ more: 'x' }, '{\n  // x⟨U+202E⟩y\n  "more": "x"\n  // Can be added: a */ b , _meta\n}\n'],
  ] as const)
    it(`names the arguments that are not in it, and calls the tool without that line: ${JSON.stringify(values)}`, async () => {
      const { called } = await openPage(
        optional,
        async ({ text, ...page }) => {
          assert.equal(text, line);
          assert.equal(removeSchemaLine(addSchemaLine(text)), text);
          const problems: ParseError[] = [];
          parseTree(addSchemaLine(text), problems, { allowTrailingComma: false });
          assert.deepEqual(problems, []);
          await act({ text, ...page }, 'run');
          return text;
        },
        (last, launch) => last.keep(launch, 'one', values),
      );
      assert.deepEqual(called, [values]);
    });

  it('begins with what its server says of it, in lines, none of which leaves its comment', async () => {
    const description = `Reads\n} ${'a word '.repeat(200)}`;
    await openPage(
      { type: 'object' },
      ({ text }) => {
        assert.match(text, /^\{\n {2}\/\/ Reads \} a word/);
        assert.ok(text.split('\n').every((line) => line.length < 120));
        assert.deepEqual(JSON.parse(stripComments(text)), {});
        return text;
      },
      undefined,
      undefined,
      { description },
    );
  });

  it('has all that the server says about it beside them, hidden characters made visible', async () => {
    await openPage(schema, ({ files, links, text, schema: checked }) => {
      const content = String(files?.[0]?.content);
      assert.match(content, /"inputSchema": \{/);
      assert.match(content, /x⟨U\+202E⟩y/);
      assert.equal(links?.[0]?.target, files?.[0]?.name);
      assert.deepEqual(checked?.['required'], schema.required);
      return text;
    });
  });

  it('calls it with what is written, as often as the user wants, and has the last result', async () => {
    const written = ['{"path": "a"}', '{"path": "b"}'];
    const { called, shown } = await openPage(schema, async (page) => {
      assert.deepEqual(idsOf(page), ['run', 'definition']);
      for (const text of written) await act(page, 'run', text);
      assert.deepEqual(idsOf(page), ['run', 'result', 'save', 'copy', 'definition']);
      await act(page, 'result');
      return page.text;
    });
    assert.deepEqual(
      called.map(({ path }) => path),
      ['a', 'b'],
    );
    assert.equal(shown.length, 3);
    assert.deepEqual((shown[2] as unknown[])[1], (shown[1] as unknown[])[1]);
  });

  it('sends `_meta` beside the arguments, which the call, its copy and the page keep', async () => {
    const meta = { 'example.org/trace': 't1', password: 'hunter2' };
    const document = JSON.stringify({ path: 'a', _meta: meta });
    const { value, text } = await copying(() =>
      openPage(schema, async (page) => {
        await act(page, 'run', document);
        await act(page, 'copy', document);
        return document;
      }),
    );
    assert.deepEqual([value.called, value.metas], [[{ path: 'a' }], [meta]]);
    assert.deepEqual(JSON.parse(text)._meta, meta);
    assert.equal(value.seen.length, 1);
    const [seen] = value.seen as [CallInView];
    assert.deepEqual([seen.arguments, seen.meta], [{ path: 'a' }, meta]);
    assert.deepEqual(value.left, { values: { path: 'a' }, meta });
    await openPage(
      schema,
      (page) => {
        assert.deepEqual(JSON.parse(stripComments(page.text))._meta, meta);
        return page.text;
      },
      async (last, launch) => {
        await last.keepLeft(launch, 'one', { values: {}, meta });
        // A call of another form, which knows none, keeps it.
        await last.keep(launch, 'one', { path: 'b' });
        await last.keepLeft(launch, 'one', { values: {} });
      },
    );
  });

  for (const [what, of, written, sent] of [
    ['an argument of this name', { properties: { _meta: { type: 'string' } } }, 'x', undefined],
    ['nothing, if it is empty', { properties: {} }, {}, {}],
  ] as const)
    it(`sends \`_meta\` as ${what}`, async () => {
      const { called, metas } = await openPage({ type: 'object', ...of }, async (page) => {
        await act(page, 'run', JSON.stringify({ _meta: written }));
        return page.text;
      });
      assert.deepEqual([called, metas], [[sent ?? { _meta: written }], [undefined]]);
    });

  for (const meta of ['text', { progressToken: 1 }, { 'io.modelcontextprotocol/x': 1 }])
    it(`calls nothing with a \`_meta\` that is not the user's to write: ${JSON.stringify(meta)}`, async () => {
      const { called } = await openPage(schema, async (page) => {
        await act(page, 'run', JSON.stringify({ path: 'a', _meta: meta }));
        return page.text;
      });
      assert.deepEqual(called, []);
    });

  it('lets the editor complete `_meta` in every form of a schema, unless the tool has its own', async () => {
    for (const [inputSchema, has] of [
      [{ type: 'object', additionalProperties: false, maxProperties: 1 }, true],
      [{ type: 'object', oneOf: [{ properties: { a: {} }, additionalProperties: false }] }, true],
      [{ type: 'object', properties: { _meta: { const: 1 } } }, false],
    ] as const)
      await openPage(inputSchema, ({ schema: checked, text }) => {
        const { properties, oneOf, maxProperties } = Object(checked) as JsonSchema;
        assert.equal(Object(Object(properties)['_meta'])['type'] === 'object', has);
        if (oneOf) assert.ok('_meta' in Object((oneOf as JsonSchema[])[0]?.['properties']));
        if (maxProperties) assert.equal(maxProperties, 2);
        return text;
      });
  });

  const tasks = { requests: { tools: { call: {} } } };
  it('calls it as a task or without one, where both its server and the tool leave that to the client', async () => {
    const offers = async (
      taskSupport: 'optional' | 'required' | 'forbidden',
      capabilities: object,
    ) => {
      let ids: readonly string[] = [];
      const { asTask } = await openPage(
        schema,
        async (page) => {
          ids = idsOf(page);
          await act(page, 'runDirectly', '{"path": "a"}');
          await act(page, 'run', '{"path": "b"}');
          await act(page, 'runAsTask', '{"path": "c"}');
          return page.text;
        },
        undefined,
        undefined,
        { execution: { taskSupport }, capabilities },
      );
      return { ways: ids.filter((id) => id.startsWith('run')), asTask };
    };
    assert.deepEqual(await offers('optional', { tasks }), {
      ways: ['run', 'runAsTask', 'runDirectly'],
      asTask: [false, undefined, 60_000],
    });
    assert.deepEqual(await offers('required', { tasks }), {
      ways: ['run', 'runAsTask'],
      asTask: [undefined, 60_000],
    });
    for (const other of [await offers('forbidden', { tasks }), await offers('optional', {})])
      assert.deepEqual(other, { ways: ['run'], asTask: [undefined] });
  });

  it('says of each call that all of it was in view', async () => {
    const { seen, server, identity } = await openPage(schema, async (page) => {
      await act(page, 'run', '{"path": "a"}');
      return page.text;
    });
    assert.deepEqual(seen, [{ server, arguments: { path: 'a' }, identity }]);
  });

  it('takes no second click of a double click, and no key that is held, for a call', async () => {
    const { called } = await openPage(schema, async (page) => {
      await Promise.all(Array.from({ length: 5 }, () => act(page, 'run', '{"path": "a"}')));
      return page.text;
    });
    assert.deepEqual(called, [{ path: 'a' }]);
  });

  it('says nothing of a call beside another one, and of one whose server has to start', async () => {
    const { seen } = await openPage(schema, async (page) => {
      await Promise.all(['a', 'b'].map((path) => act(page, 'run', JSON.stringify({ path }))));
      return page.text;
    });
    assert.deepEqual(
      seen.map((one) => one !== undefined),
      [true, false],
    );
  });

  it('saves and copies its own last call, whatever was called since', async () => {
    const targets: unknown[] = [];
    const { executeCommand } = vscode.commands;
    Object.assign(vscode.commands, {
      executeCommand: async (...run: unknown[]) => void targets.push(run),
    });
    try {
      const copied = await copying(() =>
        openPage(schema, async (page) => {
          for (const path of ['a', 'b\u202e']) await act(page, 'run', JSON.stringify({ path }));
          await act(page, 'save');
          await act(page, 'copy');
          return page.text;
        }),
      );
      const { recentCalls } = copied.value;
      const other = { server: copied.value.server, tool: tool({ name: 'one' }), arguments: {} };
      recentCalls.note('later', { ...other, origin: { kind: 'editor' } }, answered('later'));
      const [[command, target] = []] = targets as unknown[][];
      assert.equal(command, 'mcpWorkbench.saveAsTest');
      assert.deepEqual(recentCalls.find(target)?.arguments, { path: 'b\u202e' });
      assert.deepEqual(JSON.parse(copied.text), {
        tool: 'one',
        arguments: { path: 'b\u202e' },
        result: { content: [{ type: 'text', text: 'answer 2' }], isError: false },
      });
      assert.match(copied.text, /"b\\u202e"/);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
  });

  const large = answered('x'.repeat(3_000_000));
  const message = () => 'No.';
  const copies: readonly [what: string, outcome: ToolOutcome, rest: object][] = [
    [
      'the error that came',
      { kind: 'failed', code: -1, message },
      { error: { code: -1, message: 'No.' } },
    ],
    ['no result that is too large', large, {}],
  ];
  for (const [what, outcome, rest] of copies)
    it(`copies with a call ${what}`, async () => {
      const run = () =>
        openPage(
          schema,
          async (page) => {
            await act(page, 'run', '{"path": "a"}');
            await act(page, 'copy');
            return page.text;
          },
          undefined,
          () => outcome,
        );
      const { text } = await copying(run);
      assert.deepEqual(JSON.parse(text), { tool: 'one', arguments: { path: 'a' }, ...rest });
    });

  it('offers nothing to save of a call that was not sent', async () => {
    const denied = { kind: 'denied', decidedBy: { kind: 'user' } } as const;
    const use = async (page: DocumentQuestion) => {
      await act(page, 'run', '{"path": "a"}');
      assert.deepEqual(idsOf(page), ['run', 'result', 'definition']);
      return page.text;
    };
    await openPage(schema, use, undefined, () => denied);
  });

  it('has the result of a call in the background once it is there', async () => {
    const end = deferred<ToolOutcome>();
    const use = async (page: DocumentQuestion) => {
      await act(page, 'run', '{"path": "a"}');
      assert.deepEqual(idsOf(page), ['run', 'result', 'definition']);
      assert.ok(page.onDidChangeChoices);
      const changed = new Promise<void>((resolve) => page.onDidChangeChoices?.(() => resolve()));
      end.resolve(answered('late'));
      await changed;
      await act(page, 'result');
      assert.deepEqual(idsOf(page), ['run', 'result', 'save', 'copy', 'definition']);
      return page.text;
    };
    const background = { kind: 'background', ended: end.promise } as const;
    const { shown } = await openPage(schema, use, undefined, () => background);
    assert.deepEqual((shown[1] as unknown[])[1], answered('late'));
  });

  it('has the result of its latest call, though an earlier one ends after it', async () => {
    const first = deferred<ToolOutcome>();
    const use = async (page: DocumentQuestion) => {
      const slow = act(page, 'run', '{"path": "a"}');
      for (const path of ['b', 'c']) await act(page, 'run', JSON.stringify({ path }));
      first.resolve(answered('late'));
      await slow;
      await act(page, 'result');
      return page.text;
    };
    const outcomeOf = (nth: number) => (nth === 1 ? first.promise : answered(`answer ${nth}`));
    const { shown, seen } = await openPage(schema, use, undefined, outcomeOf);
    assert.deepEqual((shown.at(-1) as unknown[])[1], answered('answer 3'));
    // The first call is still under way when the third begins.
    assert.deepEqual(
      seen.map((one) => one !== undefined),
      [true, false, false],
    );
  });

  it('calls nothing with what is no object', async () => {
    const { called } = await openPage(schema, async (page) => {
      await act(page, 'run', '{"path": ');
      return page.text;
    });
    assert.deepEqual(called, []);
  });

  for (const [what, text, expected] of [
    ['values', '{"path": "mine"}', { values: { path: 'mine' } }],
    ['a text that is no object yet', '{"path": ', { values: {}, unfinished: '{"path": ' }],
  ] as const)
    it(`keeps what was written when it is closed: ${what}`, async () => {
      const { left } = await openPage(schema, () => text);
      assert.deepEqual(JSON.parse(JSON.stringify(left)), expected);
    });

  const kept: readonly [what: string, last: JsonObject, text: string, values: JsonObject][] = [
    [
      'only what was typed of what the page begins with',
      {},
      '{"path": "mine", "depth": null, "kind": "file"}',
      { path: 'mine' },
    ],
    ['nothing that was emptied again', {}, '{"path": "", "depth": null}', {}],
    ['an empty text that nobody has to give', {}, '{"more": ""}', { more: '' }],
    [
      'what takes the place of a value of the last call',
      { path: 'a', kind: 'folder' },
      '{"path": "", "depth": 2, "kind": "file"}',
      { path: '', depth: 2, kind: 'file' },
    ],
  ];
  for (const [what, values, text, expected] of kept)
    it(`keeps ${what}`, async () => {
      const { left } = await openPage(
        schema,
        () => text,
        (last, launch) => last.keep(launch, 'one', values),
      );
      assert.deepEqual(left, { values: expected });
    });

  it('copies the definition, hidden characters as escapes', async () => {
    const { text: copied } = await copying(() =>
      openPage(schema, async (page) => {
        await act(page, 'definition');
        return page.text;
      }),
    );
    const { name, description } = JSON.parse(copied) as Record<string, unknown>;
    assert.deepEqual([name, description], ['one', 'x\u202Ey']);
    assert.match(copied, /"x\\u202ey"/);
  });
});
