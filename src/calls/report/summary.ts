import { escapeMarkdown, inlineCode } from '../../base/text/markdown';
import { brokenLines, totalsLine, totalsOf, type FileReport } from './report';

/** At most this many failures are listed. */
const maxListed = 50;

/** Returns a run as Markdown, suitable for a pull request. */
export function summaryReport(files: readonly FileReport[]): string {
  const failed = files.flatMap(({ path, results }) =>
    results.filter(({ outcome }) => outcome !== 'passed').map((result) => ({ path, result })),
  );
  const { broken } = totalsOf(files);
  const mark = failed.length + broken === 0 ? '✅' : '❌';
  const rows = failed.slice(0, maxListed).map(({ path, result: { step, failures } }) => {
    const reasons = failures.map(({ message }) => escapeMarkdown(message, 300)).join('<br>');
    return `| ${inlineCode(path)} | ${escapeMarkdown(step.name)} | ${reasons} |`;
  });
  const more = failed.length - rows.length;
  const uncalled = files.flatMap(({ uncalledTools }) => uncalledTools ?? []);
  const blocks = [
    [`### ${mark} Saved MCP calls: ${totalsLine(files)}`],
    files.flatMap((file) => brokenLines(file).map((line) => `- ${escapeMarkdown(line)}`)),
    rows.length === 0 ? [] : ['| File | Step | Why |', '| --- | --- | --- |', ...rows],
    more > 0 ? [`And ${more} more.`] : [],
    uncalled.length === 0
      ? []
      : [`Tools without a step: ${uncalled.map((name) => inlineCode(name)).join(', ')}`],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}
