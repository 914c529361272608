const folder = 'demo://workbench';

/** The address of the notebook. */
export const notebookUri = `${folder}/notebook.md`;

/** Notes that a tool adds to and that two prompts and a resource show. */
export class Notebook {
  /** Called with the address of what changed. */
  onDidChange: (uri: string) => void = () => {};
  readonly #notes = [
    'A prompt is a message that somebody has prepared for you.',
    'A resource is a document that a server keeps up to date.',
  ];

  add(note: string): void {
    this.#notes.push(note);
    this.onDidChange(notebookUri);
  }

  get text(): string {
    return ['# Notebook', '', ...this.#notes.map((note) => `- ${note}`), ''].join('\n');
  }
}

/** A document of this server. */
interface Resource {
  readonly definition: {
    readonly uri: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly mimeType: string;
  };
  readonly text: (notebook: Notebook) => string;
}

function page(name: string, title: string, description: string, text: Resource['text']): Resource {
  const uri = `${folder}/${name}`;
  return { definition: { uri, name, title, description, mimeType: 'text/markdown' }, text };
}

const startHere = `# Start Here

This server is a demo. It comes with MCP Workbench, runs on your machine, reads no files and uses no network.
A server of the Model Context Protocol offers three kinds of things:

1. **Prompts** are messages prepared for a language model. Run _Explain a Term_: you choose a word, see the message, and
   send it to the chat.
2. **Resources** are documents. This page is one. Open _Notebook_ and leave it open while you try the tools: it changes
   when the server changes it.
3. **Tools** are actions that a model can ask for. Select _Roll Dice_, or write \`@mcp roll two dice\` in the chat. Every
   call shows its arguments first, and nothing happens until you allow it.

When you are done, right-click the server in the tree and select _Remove Demo Server_.
`;

const decisions = `# What You Decide

| what a server wants     | what you see                                     | try it with      |
| ----------------------- | ------------------------------------------------ | ---------------- |
| to start                | the exact command line, before anything runs     | this demo        |
| to be called by a model | the tool and its arguments, to edit or deny      | _Roll Dice_      |
| to change something     | the same, with what the server says of the tool  | _Add a Note_     |
| to ask you something    | a form that names the server and every field     | _Plan a Break_   |

You can allow a tool once, for a session, for a workspace or always. An approval ends when the tool or the command line
of its server changes.
`;

/** All documents of this server. */
export const resources: readonly Resource[] = [
  page('start-here.md', 'Start Here', 'What this demo shows, in a minute.', () => startHere),
  page(
    'decisions.md',
    'What You Decide',
    'Where you are asked, and how to try it.',
    () => decisions,
  ),
  page(
    'notebook.md',
    'Notebook',
    'Notes. Leave it open and call the tool Add a Note: the document follows.',
    (notebook) => notebook.text,
  ),
];
