import { revealHidden, runnerSign } from '../../base/text/text';
import { type FileReport, type ReportedResult, brokenLines, diffLines, totalsOf } from './report';

/** Returns a run as JUnit XML, which build servers read. */
export function junitReport(files: readonly FileReport[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', { name: 'mcp-workbench', ...counts(files) }),
    ...files.flatMap(suite),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: FileReport): readonly string[] {
  const { path, results } = file;
  return [
    `  ${open('testsuite', { name: path, ...counts([file]) })}`,
    ...results.flatMap((result) => testCase(path, result)),
    ...brokenLines(file).flatMap((line) => [
      `    ${open('testcase', { name: path, classname: path })}`,
      `      ${open('error', { message: line })}</error>`,
      '    </testcase>',
    ]),
    '  </testsuite>',
  ];
}

function counts(files: readonly FileReport[]): Readonly<Record<string, string>> {
  const { passed, failed, skipped, advice, untried } = totalsOf(files);
  const errors = files.reduce((sum, file) => sum + brokenLines(file).length, 0);
  return {
    tests: String(passed + failed + skipped + advice + untried + errors),
    failures: String(failed),
    errors: String(errors),
    skipped: String(skipped + untried),
    time: seconds(files.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function testCase(path: string, result: ReportedResult): readonly string[] {
  const { step, outcome, failures, warnings, durationMs } = result;
  const line = String(step.nameRange.line + 1);
  const attributes = { name: step.name, classname: path, file: path, line };
  const messages = failures.map(({ message }) => message);
  const said = [...(outcome === 'advice' ? messages : []), ...warnings];
  return [
    `    ${open('testcase', { ...attributes, time: seconds(durationMs) })}`,
    ...reasonOf(result, messages.join(' ')),
    ...said.map((sentence) => `      <system-out>${escape(sentence)}</system-out>`),
    '    </testcase>',
  ];
}

/** A case has one reason, whatever is wrong with it: readers of JUnit count the elements. */
function reasonOf({ outcome, failures }: ReportedResult, message: string): readonly string[] {
  switch (outcome) {
    case 'passed':
    case 'advice':
      return [];
    case 'skipped':
    case 'untried':
      return [`      ${open('skipped', { message })}</skipped>`];
    case 'failed': {
      const lines = failures.flatMap((failure) => [
        ...(failures.length > 1 ? [failure.message] : []),
        ...diffLines(failure),
      ]);
      return [`      ${open('failure', { message })}${escape(lines.join('\n'))}</failure>`];
    }
  }
}

function open(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  return `<${name}${written.join('')}>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** XML cannot contain most control characters, even escaped, so they are shown by their codes. */
function escape(text: string): string {
  return revealHidden(text)
    .replaceAll(/[&<>"\n\t\uFFFE\uFFFF]/g, (one) => entities[one] ?? '')
    .replaceAll(runnerSign, '&#35;');
}
