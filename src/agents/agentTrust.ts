import * as vscode from 'vscode';
import { isString, type Memento, StoredList } from '../base/memento';
import { plainLabel } from '../base/text/text';
import { asideText } from '../base/translate';
import type { Implementation } from '../mcp/protocol/types';
import type { AgentHello } from '../mcp/serving/agentPort';
import type { Questions } from '../ui/questions/questions';
import { wrappedRows, type PickLook } from '../ui/rows/picks';
import { pickItem } from '../ui/steps/pickItem';
import type { AgentEntry } from './entries';

/** Who wants to use the servers of this window: its entry, and what it says about itself. */
export interface AskingAgent {
  readonly entry: AgentEntry;
  readonly hello: AgentHello;
  readonly client: Implementation | undefined;
}

/** A question, and the connections that wait for its answer. */
interface SharedQuestion {
  readonly answer: Promise<boolean>;
  readonly over: AbortController;
  readonly waiting: Set<AbortSignal>;
}

/** The most agents that are trusted; the oldest are asked about again. */
const maxTrusted = 500;
const maxName = 60;
/** The longest path that is shown of an agent, in UTF-16 units. */
const maxTold = 1000;

/** Which agents may use the servers of this workspace: the user decides once for each entry. */
export class AgentTrust {
  private readonly trusted: StoredList<string>;
  private readonly questions: Pick<Questions, 'ask'>;
  /** The questions that wait, one for each entry, with the connections that wait for each. */
  private readonly asked = new Map<string, SharedQuestion>();

  constructor(store: Memento, questions: AgentTrust['questions']) {
    this.trusted = new StoredList(store, 'agentsTrusted', { max: maxTrusted, isEntry: isString });
    this.questions = questions;
  }

  isTrusted({ id }: AgentEntry): boolean {
    return this.trusted.all.includes(id);
  }

  /** Asks the user, unless they have allowed it; resolves to false if they did not, or `closed` aborted. */
  async ask(agent: AskingAgent, closed: AbortSignal): Promise<boolean> {
    const { id } = agent.entry;
    if (this.isTrusted(agent.entry)) return true;
    if (closed.aborted) return false;
    const question = this.asked.get(id) ?? this.begin(agent);
    question.waiting.add(closed);
    const leave = () => {
      question.waiting.delete(closed);
      // Nobody wants to know any longer.
      if (question.waiting.size === 0) question.over.abort();
    };
    closed.addEventListener('abort', leave, { once: true });
    try {
      return await question.answer;
    } finally {
      closed.removeEventListener('abort', leave);
    }
  }

  /** The agent is asked about again. */
  async forget({ id }: Pick<AgentEntry, 'id'>): Promise<void> {
    await this.trusted.remove((one) => one === id);
  }

  private begin(agent: AskingAgent): SharedQuestion {
    const { id } = agent.entry;
    const over = new AbortController();
    const answer = this.askOnce(agent, over.signal).finally(() => this.asked.delete(id));
    const question = { answer, over, waiting: new Set<AbortSignal>() };
    this.asked.set(id, question);
    return question;
  }

  private async askOnce(agent: AskingAgent, signal: AbortSignal): Promise<boolean> {
    const { entry } = agent;
    const { t } = vscode.l10n;
    const name = plainLabel(entry.label, maxName);
    const outcome = await this.questions.ask(
      {
        info: {
          kind: 'trust',
          server: { id: `agent/${entry.id}`, name },
          what: t('use your servers through this window'),
        },
        ask: async (context) => {
          const title = t('{0} wants to use your servers through this window', name);
          const picked = await pickItem<Row>({
            frame: { title, actions: [], context },
            placeholder: t('It sees what your servers offer. Each call is still asked about.'),
            items: rowsOf(agent),
            isString: ({ allows }) => allows === undefined,
          });
          return typeof picked !== 'string' && picked.allows === true;
        },
      },
      signal,
    );
    const isAllowed = outcome.kind === 'answered' && outcome.answer;
    if (isAllowed) await this.trusted.put(entry.id, (one) => one === entry.id);
    return isAllowed;
  }
}

type Row = PickLook & { readonly allows?: boolean };

function rowsOf({ entry, hello, client }: AskingAgent): readonly Row[] {
  const { t } = vscode.l10n;
  const told = (icon: string, text: string) => wrappedRows(icon, plainLabel(text, maxTold));
  const program = hello.program
    ? asideText(hello.program, String(hello.pid), t)
    : String(hello.pid);
  const place = hello.isHttp
    ? told('globe', t('Comes over HTTP from this machine'))
    : [
        ...told('folder', t('Runs in {0}', hello.folder)),
        ...told('terminal', t('Started by {0}', program)),
      ];
  return [
    {
      label: t('Not Now'),
      description: t('it is offered nothing until it connects again'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      grantsNothing: true,
      allows: false,
    },
    {
      label: t('Allow in This Workspace'),
      iconPath: new vscode.ThemeIcon('check'),
      allows: true,
    },
    ...told(
      'key',
      entry.file === undefined
        ? t('Its entry is one that you copied')
        : t('Its entry is in {0}', entry.file),
    ),
    ...place,
    ...(client ? told('comment', t('Calls itself {0}', `${client.name} ${client.version}`)) : []),
  ];
}
