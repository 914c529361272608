import { textOf, type Params } from './params';
import { notebookUri, type Notebook } from './resources';

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

/** A prepared message of this server. */
interface Prompt {
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly arguments: readonly Argument[];
  };
  /** What can be typed for an argument, by its name. */
  readonly completions: Readonly<Record<string, readonly string[]>>;
  readonly messages: (values: Params, notebook: Notebook) => readonly object[];
}

const terms: Readonly<Record<string, string>> = {
  prompt: 'a message that a server has prepared and a user chooses to send',
  resource: 'a document with an address that a server offers and keeps up to date',
  tool: 'an action that a server offers and a language model can ask for',
  root: 'a folder that a client tells a server it may work in',
  sampling: 'a request of a server to the language model of the client',
  elicitation: 'a question of a server to the user, asked as a form or as a web page',
  approval: 'what a user allows a server or a model to do, and for how long',
};

const user = (content: object) => ({ role: 'user', content });

/** All prepared messages of this server. */
export const prompts: readonly Prompt[] = [
  {
    definition: {
      name: 'explain-term',
      title: 'Explain a Term',
      description: 'Explains a word of the Model Context Protocol to somebody who is new to it.',
      arguments: [
        { name: 'term', description: 'The word to explain, such as "tool"', required: true },
      ],
    },
    completions: { term: Object.keys(terms) },
    messages(values) {
      const term = textOf(values, 'term');
      if (term === '') throw new Error('Choose a term to explain.');
      const meaning = terms[term.toLowerCase()];
      const hint = meaning === undefined ? '' : ` In short, it is ${meaning}.`;
      const text = `Explain "${term}" of the Model Context Protocol in three sentences to somebody who is new to it.${hint} Give one example from daily work.`;
      return [user({ type: 'text', text })];
    },
  },
  {
    definition: {
      name: 'review-code',
      title: 'Review Code',
      description: 'Reviews a piece of code. Takes it from the editor if you have selected some.',
      arguments: [
        { name: 'code', description: 'The code to review', required: true },
        { name: 'focus', description: 'What to look for; everything if left out' },
      ],
    },
    completions: { focus: ['bugs', 'names', 'readability', 'security', 'tests'] },
    messages(values) {
      const focus = textOf(values, 'focus');
      const what = focus === '' ? '' : ` Look at ${focus} first.`;
      const text = `Review this code. Name the three most important findings.${what}\n\n\`\`\`\n${textOf(values, 'code')}\n\`\`\``;
      return [user({ type: 'text', text })];
    },
  },
  {
    definition: {
      name: 'summarize-notebook',
      title: 'Summarize the Notebook',
      description: 'Brings a resource along: the notes as they are now.',
      arguments: [],
    },
    completions: {},
    messages: (_values, notebook) => [
      user({ type: 'text', text: 'Summarize these notes in one sentence.' }),
      user({
        type: 'resource',
        resource: { uri: notebookUri, mimeType: 'text/markdown', text: notebook.text },
      }),
    ],
  },
];
