import type * as vscode from 'vscode';
import type { TrustQuestion } from './trustQuestion';

const key = 'trust.notInThisWorkspace';

/** The launches that the user does not want in this workspace, kept with it. */
export class DismissedLaunches {
  private readonly state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.state = state;
  }

  has(question: TrustQuestion): boolean {
    return this.kept.includes(idOf(question));
  }

  async add(question: TrustQuestion): Promise<void> {
    await this.state.update(key, [...new Set([...this.kept, idOf(question)])]);
  }

  private get kept(): readonly string[] {
    return this.state.get<readonly string[]>(key, []);
  }
}

/** A launch that changed is another one. */
function idOf({ launch, text }: TrustQuestion): string {
  return JSON.stringify([launch.serverName, launch.place, text]);
}
