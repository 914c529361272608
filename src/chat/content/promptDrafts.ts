import { deferred, type Deferred } from '../../base/async';
import type { HandedPrompt } from '../../contracts/promptDraft';

const maxKept = 50;

/** Prompts on their way into the chat, each under a short id that the chat request carries. */
export class PromptDrafts {
  private readonly drafts = new Map<string, { prompt: HandedPrompt; taken: Deferred<void> }>();
  private next = 1;

  /** Keeps a prompt, the oldest making room; gives its id, and resolves `taken` when it is first looked for. */
  keep(prompt: HandedPrompt): { readonly id: string; readonly taken: Promise<void> } {
    const id = String(this.next++);
    const taken = deferred<void>();
    this.drafts.set(id, { prompt, taken });
    for (const oldest of this.drafts.keys()) {
      if (this.drafts.size <= maxKept) break;
      this.drafts.delete(oldest);
    }
    return { id, taken: taken.promise };
  }

  /** The prompt that a request such as `Code Review #3` refers to. */
  find(request: string): HandedPrompt | undefined {
    const id = /#(\d+)\s*$/.exec(request)?.[1];
    const kept = id === undefined ? undefined : this.drafts.get(id);
    kept?.taken.resolve();
    return kept?.prompt;
  }
}
