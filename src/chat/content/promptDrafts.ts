import type { HandedPrompt } from '../../contracts/promptDraft';

const maxKept = 50;

/** Prompts on their way into the chat, each under a short id that the chat request carries. */
export class PromptDrafts {
  private readonly drafts = new Map<string, HandedPrompt>();
  private next = 1;

  /** Keeps a prompt, the oldest making room, and gives its id. */
  keep(prompt: HandedPrompt): string {
    const id = String(this.next++);
    this.drafts.set(id, prompt);
    for (const oldest of this.drafts.keys()) {
      if (this.drafts.size <= maxKept) break;
      this.drafts.delete(oldest);
    }
    return id;
  }

  /** The prompt that a request such as `Code Review #3` refers to. */
  find(request: string): HandedPrompt | undefined {
    const id = /#(\d+)\s*$/.exec(request)?.[1];
    return id === undefined ? undefined : this.drafts.get(id);
  }
}
