import { Latest } from '../../base/latest';
import { measureJson } from '../../base/measureJson';
import { fingerprint } from '../../base/fingerprint';
import type { JsonSchema } from '../../mcp/protocol/types';
import type { FormAnswer } from '../../ui/steps/schemaForm';

/** The values of at most this many forms are kept, and at most this many bytes in all. */
export const maxDrafts = 50;
export const maxDraftBytes = 1_000_000;

/** The values given so far, and a document that could not be parsed yet. */
type FormDraft = Pick<FormAnswer, 'values' | 'unfinished'>;

/** The contents of forms that were not sent, for when the same server, launched the same way, asks for the same again. */
export class FormDrafts {
  private readonly drafts = new Map<string, FormDraft>();
  private readonly latest = new Latest<readonly [key: string, kept: object]>(
    { maxItems: maxDrafts, maxBytes: maxDraftBytes },
    ([key, kept]) => {
      // A newer draft of the same form stays.
      if (this.drafts.get(key) === kept) this.drafts.delete(key);
    },
  );

  async get(launch: string, schema: JsonSchema): Promise<FormDraft> {
    return this.drafts.get(await fingerprint([launch, schema])) ?? { values: {} };
  }

  /** Keeps a draft unless it is larger than {@link maxDraftBytes}; the oldest ones are discarded to make room. */
  async keep(launch: string, schema: JsonSchema, draft: FormDraft): Promise<void> {
    const { bytes } = measureJson(draft);
    if (bytes > maxDraftBytes) return;
    const key = await fingerprint([launch, schema]);
    const kept = { ...draft };
    this.drafts.set(key, kept);
    this.latest.add([key, kept], bytes);
  }

  async forget(launch: string, schema: JsonSchema): Promise<void> {
    this.drafts.delete(await fingerprint([launch, schema]));
  }
}
