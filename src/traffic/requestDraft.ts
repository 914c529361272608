import { getNodeValue } from 'jsonc-parser';
import { asRecord, isRecord, type JsonRecord } from '../base/json';
import { redacted } from '../base/secrets/secrets';
import { readJsonc } from '../base/text/jsonc';
import type { Translate } from '../base/translate';
import { findInexactNumber, inexactNumberText } from '../mcp/protocol/inexactNumber';
import { protocolMeta } from '../mcp/session/session';
import type { TrafficEntry } from '../mcp/traffic/trafficEntry';
import { maskedCopy, type Mask } from '../base/secrets/maskedCopy';

/** A request or notification, without what is added to it each time it is sent. */
export interface RequestDraft {
  readonly method: string;
  readonly params: JsonRecord;
}

/** Returns the draft for sending an entry again. */
export function draftOf({ method, value }: TrafficEntry): RequestDraft {
  const { _meta, ...params } = asRecord(asRecord(value)['params']);
  const own = Object.entries(asRecord(_meta)).filter(
    ([name]) => name !== 'progressToken' && !name.startsWith(protocolMeta),
  );
  return {
    method,
    params: own.length > 0 ? { ...params, _meta: Object.fromEntries(own) } : params,
  };
}

/** Formats a draft as text to edit, without secrets. */
export function requestText(draft: RequestDraft, mask: Mask): string {
  return `${JSON.stringify(maskedCopy(draft, mask), null, 2)}\n`;
}

/** Reads an edited draft, or says in a sentence what is wrong with it. */
export function readDraft(text: string, t: Translate): RequestDraft | { readonly problem: string } {
  if (text.includes(redacted))
    return { problem: t('Replace {0} with the value that was taken out.', redacted) };
  const { root, problem } = readJsonc(text, t);
  if (problem) return { problem: problem.message };
  const inexact = findInexactNumber(text);
  if (inexact) return { problem: inexactNumberText(inexact, t) };
  const { method, params = {} } = asRecord(root && getNodeValue(root));
  if (typeof method !== 'string' || method === '')
    return { problem: t('"method" must be the name of a method.') };
  return isRecord(params) ? { method, params } : { problem: t('"params" must be a JSON object.') };
}
