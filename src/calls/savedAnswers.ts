import { type JsonRecord, isRecord } from '../base/json';
import {
  type RealPath,
  comparedAddress,
  realAddress,
  resolvedAddress,
} from '../base/uri/fileAddress';
import { ErrorCode } from '../mcp/protocol/rpcError';
import {
  type CreateMessageResult,
  type ElicitResult,
  RequestRefused,
  type ServerRequestHandlers,
} from '../mcp/protocol/serverRequests';
import type { Json, JsonObject } from '../mcp/protocol/types';
import type { AskedQuestion } from './expect/answer';
import type { CallStep, CallsFile, GivenAnswers } from './format/calls';
import { fillAnswers, FillBudget, fillKnown, fillVariables } from './format/variables';

/** At most this many questions of a server are answered while a step runs; further ones are refused. */
export const maxStepQuestions = 100;

/** What a step was asked, and what is worth knowing of it. */
interface Asked {
  readonly asked: readonly AskedQuestion[];
  readonly warnings: readonly string[];
}

/**
 * Answers the questions of a server as a file of saved calls says: those of a step in turn, then with the last one. A
 * question without an answer is refused.
 */
export class SavedAnswers {
  /** Declares to the server what the file has answers for, in whichever step. */
  readonly requests: ServerRequestHandlers;
  private readonly base: string;
  private readonly ofFile: GivenAnswers;
  /** Absent while no step may have begun: nobody has agreed yet to what a new session is for. */
  private given: GivenAnswers | undefined;
  private asked: AskedQuestion[] = [];
  private refused = new Map<string, string>();
  private used = { sampling: 0, elicitation: 0 };

  /**
   * `base` is the URL of the folder of the file, which relative roots start from. The answers of the file are filled with
   * its variables, but for those that a step saves: what the user agrees to is what the server gets. Throws a `UserError`
   * if one of them has no value, or they are too much for `budget`.
   */
  constructor(
    { answers = {}, steps, variables }: CallsFile,
    base: string,
    budget = new FillBudget(),
  ) {
    this.base = base;
    const saved = new Set(steps.flatMap(({ save }) => Object.keys(save)));
    const given = Object.entries(variables).filter(([name]) => !saved.has(name));
    this.ofFile = fillAnswers(answers, (value) =>
      fillVariables(value, Object.fromEntries(given), budget),
    );
    const has = (kind: 'sampling' | 'elicitation') =>
      [{ answers }, ...steps].some((one) => one.answers?.[kind] !== undefined);
    this.requests = {
      ...(answers.roots && { listRoots: () => Promise.resolve(this.roots()) }),
      ...(has('sampling') && {
        createMessage: async (_server, request) =>
          sampled(this.next('sampling', 'sampling/createMessage', request)),
      }),
      ...(has('elicitation') && {
        elicit: async (_server, request) =>
          this.next('elicitation', 'elicitation/create', request) as unknown as ElicitResult,
      }),
    };
  }

  /** Refuses all questions but those for roots until a step begins. */
  hold(): void {
    this.given = undefined;
  }

  /** Answers for a step from now on; throws a `UserError` if a variable has no value. */
  begin(step: CallStep, fill: (value: Json) => Json): void {
    this.given = { ...this.ofFile, ...fillAnswers(step.answers ?? {}, fill) };
    this.used = { sampling: 0, elicitation: 0 };
    this.asked = [];
  }

  /** Returns what was asked since the step began, with warnings of what was refused before, too. */
  end(): Asked {
    const { asked } = this;
    const warnings = [...this.refused.values()];
    this.asked = [];
    this.refused.clear();
    return { asked, warnings };
  }

  private roots() {
    return resolvedRoots(this.ofFile.roots ?? [], this.base);
  }

  private next(
    kind: 'sampling' | 'elicitation',
    method: string,
    params: object,
  ): JsonObject | string {
    const refuse = (why: string) => {
      this.refused.set(why, why);
      return new RequestRefused(why, ErrorCode.internal);
    };
    if (!this.given) throw refuse(`The server asked ${method} before a step ran, and was refused.`);
    if (this.asked.length >= maxStepQuestions)
      throw refuse(`The server asked more than ${maxStepQuestions} questions in one step.`);
    this.asked.push({ method, params });
    const list = this.given[kind] ?? [];
    const answer = list[Math.min(this.used[kind], list.length - 1)];
    this.used[kind] += 1;
    if (answer === undefined) throw refuse(`There is no answer for ${method} in the file.`);
    const { error } = isRecord(answer) ? answer : {};
    if (isRecord(error)) throw refusalOf(error);
    return answer;
  }
}

/** Returns roots of a file where their steps lead from the URL of its folder: one agrees to what a server is told. */
export function resolvedRoots(
  roots: NonNullable<GivenAnswers['roots']>,
  folder: string,
): NonNullable<GivenAnswers['roots']> {
  return roots.map(({ uri, ...root }) => ({
    ...root,
    uri: URL.canParse(uri, folder) ? resolvedAddress(new URL(uri, folder).href) : uri,
  }));
}

/**
 * Returns a file of saved calls with its roots where links lead from the URL of its folder: a repository, or a program in
 * it, may change them at any time, and one agrees to what a server is told. Links on the way to the folder are the user's.
 */
export async function withRealRoots(
  file: CallsFile,
  folder: string,
  realPath: RealPath,
): Promise<CallsFile> {
  const { answers, variables } = file;
  if (!answers?.roots) return file;
  const budget = new FillBudget();
  const fill = (value: Json) => fillKnown(value, variables, budget);
  const { roots: filled = [] } = fillAnswers({ roots: answers.roots }, fill);
  const told = resolvedRoots(filled, folder).map(({ uri }) => uri);
  const realFolder = await realAddress(folder, realPath);
  const roots = answers.roots.map(async (root, index) => {
    const uri = told[index] ?? root.uri;
    const real = await realAddress(uri, realPath);
    const inFolder = uri.startsWith(folder)
      ? realFolder.replace(/\/?$/, '/') + uri.slice(folder.length)
      : uri;
    return comparedAddress(real) === comparedAddress(inFolder) ? root : { ...root, uri: real };
  });
  return { ...file, answers: { ...answers, roots: await Promise.all(roots) } };
}

function refusalOf({ code, message }: JsonRecord): RequestRefused {
  return new RequestRefused(typeof message === 'string' ? message : '', Number(code));
}

/** Returns a saved answer as a server gets it; a text is one of a model. */
function sampled(answer: JsonObject | string): CreateMessageResult {
  const given = typeof answer === 'string' ? { content: { type: 'text', text: answer } } : answer;
  const { content } = given;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const calls = blocks.some((block) => isRecord(block) && block['type'] === 'tool_use');
  return {
    role: 'assistant',
    model: 'saved-answer',
    stopReason: calls ? 'toolUse' : 'endTurn',
    ...given,
    content,
  };
}
