/** Where servers write the id of an answer: before its content, or after it. */
const idAtTheStart =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,(?!\s*"method")/;
const idAtTheEnd = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
const beginsAsQuestion = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/;

/** The id of the request that a message answers, read from how it begins and, where that is known, how it ends. */
export function answeredId(head: string, tail = ''): number | undefined {
  const atTheEnd = beginsAsQuestion.test(head) ? undefined : idAtTheEnd.exec(tail)?.[1];
  const id = idAtTheStart.exec(head)?.[1] ?? atTheEnd;
  return id === undefined ? undefined : Number(id);
}
