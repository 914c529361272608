import { deferred, type Deferred } from '../../base/async';
import type { HandedPrompt } from '../../contracts/promptDraft';

const maxKept = 50;

/** Prompts on their way to the chat, each under the words that its chat request contains. */
export class PromptDrafts {
  private readonly drafts = new Map<string, { prompt: HandedPrompt; taken: Deferred<void> }>();
  private readonly used = new Set<string>();

  /**
   * Keeps a prompt, discarding the oldest ones if necessary; returns its words, which are the name plus a number
   * from the second time on, and `taken`, which resolves when the prompt is first looked up.
   */
  keep(
    prompt: HandedPrompt,
    name: string,
  ): { readonly words: string; readonly taken: Promise<void> } {
    let words = name;
    // The words of a discarded prompt stay in use: an old message that is sent again must not stand for another prompt.
    for (let run = 2; this.used.has(words); run += 1) words = `${name} (${run})`;
    this.used.add(words);
    const taken = deferred<void>();
    this.drafts.set(words, { prompt, taken });
    for (const oldest of this.drafts.keys()) {
      if (this.drafts.size <= maxKept) break;
      this.drafts.delete(oldest);
    }
    return { words, taken: taken.promise };
  }

  /** Returns the prompt that a request such as `Code Review (3)` refers to, if it is still kept. */
  find(request: string): HandedPrompt | undefined {
    const kept = this.drafts.get(request.trim());
    kept?.taken.resolve();
    return kept?.prompt;
  }
}
