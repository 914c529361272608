/** Variables through which a runner tells the suite inside the extension host what to do. */
export const variables = {
  /** A file for the counts, as JSON. */
  result: 'MCP_WORKBENCH_TEST_RESULT',
  /** A regular expression on full titles. */
  grep: 'MCP_WORKBENCH_TEST_GREP',
} as const;

/** What a line of the suite's report begins with, to tell it from the editor's own log. */
export const outputMark = '[host] ';
