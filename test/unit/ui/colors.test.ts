import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { errorMessage } from '../../../src/base/errors';
import { pickTexts, treeTexts } from '../../../src/base/text/rowTexts';
import { documentText, hasHidden, plainLabel, wordsLabel } from '../../../src/base/text/text';
import { inEnglish, type Translate } from '../../../src/base/translate';
import { reportCall, progressReporter } from '../../../src/chat/participant/callReport';
import type { ToolOutcome } from '../../../src/contracts/toolCalls';
import { argumentRows } from '../../../src/ui/rows/argumentRows';
import { questionItems } from '../../../src/gate/ask/questionItems';
import { progressText } from '../../../src/gate/send/showRunning';
import { ServerLog } from '../../../src/mcp/connection/serverContents';
import { RpcError } from '../../../src/mcp/protocol/rpcError';
import { displayName, wholeNames, type ContentBlock } from '../../../src/mcp/protocol/types';
import { resultDocument } from '../../../src/tools/run/resultDocument';
import { copyText } from '../../../src/ui/clipboard';
import { showMessage, tellBriefly, withProgress } from '../../../src/ui/messages';
import { safeRows } from '../../../src/ui/rows/picks';
import { treeRow } from '../../../src/ui/rows/treeRow';
import { toModelMessages } from '../../../src/ui/toModelMessages';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

/** What only colors, before a letter. */
const colors: Readonly<Record<string, string>> = {
  'one color': '\u001B[31m',
  'several numbers': '\u001B[1;38;5;196m',
  'numbers with colons': '\u001B[38:2::255:0:0m',
  'no number': '\u001B[m',
  'what begins with one control': '\u009B31m',
  'the rest of a line': '\u001B[K',
};

/** What does more than color, or is none of it. */
const others: Readonly<Record<string, string>> = {
  'a link': '\u001B]8;;https://evil.example\u001B\\',
  'a move': '\u001B[2A',
  'a color that does not end': '\u001B[31',
  'the other direction': '\u202E',
};

const inUserLanguage: Translate = (message, ...args) => inEnglish(message, ...args);
const block = (text: string): ContentBlock => ({ type: 'text', text });

const callOf = (name = 'run', args = {}) =>
  ({
    server: fakeServer(),
    tool: tool({ name }),
    arguments: args,
    origin: { kind: 'editor' },
  }) as const;

/** Returns what the chat says of a call that ended so. */
function reported(outcome: ToolOutcome): string {
  const said: string[] = [];
  const stream = {
    markdown: (text: string) => void said.push(text),
    anchor: (_uri: vscode.Uri, title: string) => void said.push(title),
  } as unknown as vscode.ChatResponseStream;
  reportCall(stream, {
    call: callOf(),
    outcome,
    decision: undefined,
    leftOut: [],
    tokens: 1,
    isCut: false,
    resources: { uriOf: (_, uri) => vscode.Uri.parse(uri) },
  });
  return said.join('\n');
}

const resultOf = (...content: readonly ContentBlock[]) =>
  ({
    kind: 'result',
    result: { content, isError: false },
    arguments: {},
    edited: false,
    problems: [],
  }) as const;

function documentOf(...content: readonly ContentBlock[]): string {
  const words = {
    t: inEnglish,
    error: '',
    structured: '',
    empty: '',
    arguments: '',
    made: '',
    showCall: '',
  };
  return documentText(resultDocument(callOf(), { content, isError: false }, [], words).text);
}

const { window } = vscode;
const shownBefore = { ...window };

/** Puts something in the place of a function of the window, and returns the first text that it is given. */
async function told(name: keyof typeof window, tell: () => unknown): Promise<string> {
  let text = '';
  Object.assign(window, {
    [name]: (said: string) => {
      text = said;
      return Promise.resolve(undefined);
    },
  });
  await tell();
  return text;
}

async function ofProgress(message: string): Promise<string> {
  const said: string[] = [];
  Object.assign(window, {
    withProgress: (
      { title = '' }: vscode.ProgressOptions,
      work: (to: { report(step: { message?: string }): void }) => unknown,
    ) => {
      said.push(title);
      return work({ report: (step) => void said.push(step.message ?? '') });
    },
  });
  const options = { location: vscode.ProgressLocation.Window, title: message };
  await withProgress(options, (progress) => {
    progress.report({ message });
    return Promise.resolve();
  });
  return said.join(' ');
}

/** Each place where people only read what a server says. */
const places: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  'the error of a request': (text) =>
    plainLabel(errorMessage(new RpcError(0, text), inUserLanguage)),
  'the cause of an error': (text) => {
    return plainLabel(
      errorMessage(new Error('No', { cause: new RpcError(0, text) }), inUserLanguage),
    );
  },
  'a message': (text) => told('showErrorMessage', () => showMessage('error', text)),
  'the status bar': (text) => told('setStatusBarMessage', () => tellBriefly(text, 1)),
  'a title and a step of work': ofProgress,
  'the progress of a call': (message) => progressText({ progress: 1, message }),
  'the state of a task': (message) => progressText({ progress: 0, message }),
  'the progress of a call in the chat': (message) => {
    const said: string[] = [];
    const stream = { progress: (line: string) => void said.push(line) };
    const { now } = Date;
    const report = progressReporter(stream as unknown as vscode.ChatResponseStream);
    Date.now = () => now() + 5000;
    report({ progress: 1, message });
    Date.now = now;
    return said.join(' ');
  },
  'a failed call in the chat': (text) => reported({ kind: 'failed', message: () => text }),
  'a result in the chat': (text) => reported(resultOf(block(text))),
  'the title of a link in the chat': (title) =>
    reported(resultOf({ type: 'resource_link', uri: 'a:b', name: 'c', title })),
  'a result as a text': (text) => documentOf(block(text)),
  'a result as a page': (text) => documentOf(block(text), block('b')),
  'the words of a link in a result': (text) =>
    documentOf({ type: 'resource_link', uri: 'a:b', name: 'c', title: text, description: text }),
  'the log of a server': (text) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const log = { trace: write, debug: write, info: write, warn: write, error: write };
    new ServerLog(log).write({ level: 'info', data: text });
    return lines.join('\n');
  },
  'beside a row of a tree': (description) =>
    String(treeRow({ label: 'x', description }).description),
  'the tooltip of a row': (tooltip) => treeTexts({ label: 'x', tooltip }).tooltip ?? '',
  'the title of a tool': (title) => plainLabel(displayName(tool({ name: 'n', title }))),
  'the title that a hint has': (title) =>
    plainLabel(displayName({ name: 'n', annotations: { title } })),
  'a line of words': (text) => wordsLabel(text),
};

/** Each place where one text must not pass for another, or where it is data. */
const exact: Readonly<Record<string, (text: string) => unknown>> = {
  'the name of a server': (name) => plainLabel(name),
  'the name of a tool': (name) => plainLabel(displayName(tool({ name }))),
  'the names in a tooltip': (name) =>
    treeTexts({ label: 'x', tooltip: wholeNames(tool({ name, title: 't' })).join('\n') }),
  'the label of a row': (label) => treeTexts({ label }).label,
  'a row of a question': (text) => pickTexts({ label: text, description: text, detail: text }),
  'the arguments of a question': (text) => argumentRows({ text, [text]: 1 }, 6).rows,
  'a question about a call': (text) =>
    safeRows(
      questionItems(
        { call: callOf(text, { text }), proposed: {}, concerns: [], canGoBack: false },
        { coverage: 'tool', waiting: 1, hasWorkspace: true, isUnfinished: false },
      ),
    ),
  'what is read whole before it is agreed to': documentText,
  'what a model is given': (text) =>
    toModelMessages([{ role: 'user', parts: [{ kind: 'text', text }] }]),
  'what a model is told of an error': (text) => errorMessage(new RpcError(0, text)),
  'what is copied': async (text) => {
    await copyText(text);
    return vscode.env.clipboard.readText();
  },
  'a resource within a result': (text) =>
    documentOf({ type: 'resource', resource: { uri: 'a:b', text } }),
};

describe('a color', () => {
  afterEach('restore', () => void Object.assign(window, shownBefore));

  for (const [where, shown] of Object.entries(places)) {
    it(`is left out of what is only read: ${where}`, async () => {
      for (const [form, color] of Object.entries(colors)) {
        const colored = await shown(`a${color}b${color}`);
        assert.equal(colored, await shown('ab'), form);
        assert.ok(colored.includes('ab'), `${form}: ${colored}`);
      }
    });

    it(`is all that is left out of it: ${where}`, async () => {
      for (const [form, other] of Object.entries(others)) {
        const seen = await shown(`a${other}b`);
        assert.match(seen, /⟨U\\?\+(?:001B|202E)⟩/, `${form}: ${seen}`);
        assert.ok(!hasHidden(seen), form);
      }
    });
  }

  for (const [where, shown] of Object.entries(exact))
    it(`tells two texts apart: ${where}`, async () => {
      const plain = JSON.stringify(await shown('ab'));
      for (const [form, color] of Object.entries(colors))
        assert.notEqual(JSON.stringify(await shown(`a${color}b`)), plain, form);
    });
});
