import type { Counts } from '../run/counts';

/** What a window writes down of its tests, also before each file that it claims. */
export interface HostCounts extends Counts {
  /** The file whose tests run. */
  readonly running?: string | undefined;
}

/** Variables through which a runner tells the suite inside the extension host what to do. */
export const variables = {
  /** The file that {@link HostCounts} are written to, as JSON. */
  result: 'MCP_WORKBENCH_TEST_RESULT',
  /** A regular expression for the full titles of tests. */
  grep: 'MCP_WORKBENCH_TEST_GREP',
  /** The compiled files to run, below the folder of the suite, as JSON; without it, all of them. */
  files: 'MCP_WORKBENCH_TEST_FILES',
  /** A folder in which windows that share the files claim one after another; without it, one window runs all of them. */
  claims: 'MCP_WORKBENCH_TEST_CLAIMS',
} as const;

/** The start of each line of the suite's report, to distinguish it from the editor's own log. */
export const outputMark = '[host] ';
