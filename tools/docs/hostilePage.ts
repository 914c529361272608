import { join } from 'node:path';
import { hostileAnswers } from '../../test/fixtures/badServers/hostileAnswers';
import { authAnswers } from '../../test/fixtures/hostile/authAnswers';
import { carelessAnswers, carelessWays } from '../../test/fixtures/hostile/carelessAuth';
import type { HostileCall } from '../../test/fixtures/hostile/behaviour';
import { hostileCalls } from '../../test/fixtures/hostile/calls';
import {
  legacyHandshakes,
  modernHandshakes,
  type HostileHandshake,
} from '../../test/fixtures/hostile/handshakes';
import { firstAnswers, notificationAnswers } from '../../test/fixtures/hostile/firstAnswers';
import { httpCuts } from '../../test/fixtures/hostile/httpCuts';
import { hostileLists } from '../../test/fixtures/hostile/lists';
import { hostileSchemas } from '../../test/fixtures/hostile/schemas';
import { hostileQuestions } from '../../test/fixtures/hostile/questions';
import { repositoryRoot } from '../../test/support/paths';

/** The path of the page. */
export const hostilePagePath = join(repositoryRoot, 'docs', 'hostile-servers.md');

type Rows = readonly (readonly string[])[];

const words = `# Hostile servers

What a broken or hostile server may send, and what has to become of it: every row is a test (\`test/unit/hostile\`,
\`test/unit/mcp/hostileAnswers.test.ts\`), run over stdio, HTTP and HTTP+SSE, in both eras where it belongs to both. \`npm run docs\`
writes this page from the tables that these tests run through.

After each of them the same holds. **The row** of the server says what it said before: the server runs, in the revision that was agreed
on, and answers the next call; a message that could not be read is counted below it. **The log** has no line of more than
11,000 characters, and no hidden character in any. **The model** is told what the table says, between marks, hidden characters shown.
Calls are checked against the schema as the server wrote it, whatever a model got.`;

/** Returns the page generated from the tables, before it is formatted. */
export function hostilePage(): string {
  return [
    words,
    section('Answers to a call', ['It answers with', 'The call', 'The model is told'], calls()),
    section(
      'Answers to a call beside the protocol',
      ['It answers'],
      Object.keys(hostileAnswers).map((name) => [name]),
    ),
    section('Responses to a call over HTTP', ['It responds with', 'The call'], cuts()),
    section('Lists', ['It lists', 'What is kept', 'The row of the list says'], lists()),
    section(
      'Schemas of tools',
      ['It lists a tool whose schema has', 'Models get'],
      Object.entries(hostileSchemas).map(([name, [, expected]]) => [
        name,
        code(JSON.stringify(expected)),
      ]),
    ),
    section('Questions', ['It asks', 'What becomes of it', 'Its row says'], questions()),
    section(
      'Answers to `initialize`',
      ['It answers with', 'The server'],
      handshakes(legacyHandshakes),
    ),
    section(
      'Answers to `server/discover`',
      ['It answers with', 'The server'],
      handshakes(modernHandshakes),
    ),
    section(
      'Responses to `server/discover` of a server that knows only `initialize`',
      ['It responds with', 'How it is read'],
      Object.entries(firstAnswers).map(([name, { isSilent }]) => [
        name,
        `not as an answer: \`initialize\` is asked ${isSilent ? 'beside it after 2 s' : 'at once'}`,
      ]),
    ),
    section(
      'Responses to notifications',
      ['A notification', 'How it is read'],
      Object.entries(notificationAnswers).map(([name, { isTold }]) => [
        name,
        isTold ? 'as accepted after 2 s; the row says so' : 'as accepted',
      ]),
    ),
    section(
      'Answers in a sign-in',
      ['What describes, registers or grants answers with'],
      Object.keys(authAnswers).map((name) => [name]),
    ),
    section(
      'Careless answers in a sign-in',
      ['What describes, registers or grants answers with', 'It is read as'],
      Object.entries(carelessAnswers).map(([name, { readAs }]) => [name, readAs]),
    ),
    section(
      'Careless ways to a sign-in',
      ['A server or what it signs in at has', 'It is read as'],
      Object.entries(carelessWays).map(([name, { readAs }]) => [name, readAs]),
    ),
  ].join('\n\n');
}

/** Returns the number of behaviors that the page lists. */
export function countBehaviours(page: string): number {
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  return rows.length - 2 * page.split('\n## ').slice(1).length;
}

function calls(): Rows {
  return Object.entries(hostileCalls).map(([name, call]) => [name, endOf(call), toldOf(call)]);
}

function endOf({ error }: HostileCall): string {
  return error ? fails(error) : 'ends';
}

function toldOf({ text, told, error }: HostileCall): string {
  if (error) return 'the same sentence';
  return few(told ?? [text ?? '']) || 'nothing';
}

function cuts(): Rows {
  return Object.entries(httpCuts).map(([name, { error }]) => [name, error ? fails(error) : 'ends']);
}

function lists(): Rows {
  return Object.entries(hostileLists).map(([name, { kept, problem }]) => [
    name,
    few(kept) || 'nothing',
    problem ? code(problem.source) : 'nothing',
  ]);
}

function questions(): Rows {
  return Object.entries(hostileQuestions).map(([name, { refused, problem }]) => [
    name,
    refused ? `refused: ${code(refused.source)}` : 'you are asked, or it is answered',
    problem ? code(problem.source) : 'nothing',
  ]);
}

function handshakes(table: Readonly<Record<string, HostileHandshake>>): Rows {
  return Object.entries(table).map(([name, { runs }]) => [
    name,
    runs ? 'runs' : 'is given up, in a sentence',
  ]);
}

function few(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).map((text) => code(text));
  return [...shown, ...(texts.length > 3 ? [`and ${texts.length - 3} more`] : [])].join(', ');
}

function fails({ source }: RegExp): string {
  return `fails: ${code(source)}`;
}

function section(heading: string, columns: readonly string[], rows: Rows): string {
  const named = rows.map(([name = '', ...cells]) => [
    name.replaceAll('_', String.raw`\_`).replaceAll('|', String.raw`\|`),
    ...cells,
  ]);
  const lines = [columns, columns.map(() => '---'), ...named];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `## ${heading}\n\n${table}`;
}

/** Formats a text as code in a table cell, shortened and with runs of whitespace as single spaces. */
function code(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `\`\` ${shown.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ')} \`\``;
}
