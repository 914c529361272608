import type { Translate } from '../../base/translate';
import { latestInitialized, modernRevision } from '../../mcp/protocol/revisions';

const base = `https://modelcontextprotocol.io/specification/${latestInitialized}`;

/** What every server should do, why, and how to fix it; worded for authors of servers. */
export const rules = {
  handshake: {
    clause: `${base}/basic/lifecycle#initialization`,
    words: (t: Translate) => ({
      rule: t('The server answers the handshake as the specification says.'),
      why: t('Clients that are less patient than this one refuse such a server.'),
      fix: t(
        'Answer initialize with protocolVersion, capabilities and serverInfo, and send nothing else before.',
      ),
    }),
  },
  lists: {
    clause: `${base}/server/tools#data-types`,
    words: (t: Translate) => ({
      rule: t('Every entry of every list is usable.'),
      why: t('A client leaves such an entry out, or refuses the whole list.'),
      fix: t('Give each entry the fields that its type requires.'),
    }),
  },
  unique: {
    clause: `${base}/server/tools#tool-names`,
    words: (t: Translate) => ({
      rule: t('No two tools, prompts or templates have one name.'),
      why: t('A request names only one of them, and nobody can tell which.'),
      fix: t('Rename one of them.'),
    }),
  },
  cursors: {
    clause: `${base}/server/utilities/pagination`,
    words: (t: Translate) => ({
      rule: t('Every list ends.'),
      why: t('A client that follows nextCursor would never be done.'),
      fix: t('Leave nextCursor out on the last page, and never repeat one.'),
    }),
  },
  names: {
    clause: `${base}/server/tools#tool-names`,
    words: (t: Translate) => ({
      rule: t('The names of tools are safe for models.'),
      why: t(
        'Model providers take letters, digits, _ and -, up to 64; a client has to rename every other tool.',
      ),
      fix: t('Use letters, digits, _ and - alone, 64 at most.'),
    }),
  },
  schemas: {
    clause: `${base}/server/tools#data-types`,
    words: (t: Translate) => ({
      rule: t('The schemas of tools are valid JSON Schemas of objects.'),
      why: t('Model providers refuse a whole request for one schema that they cannot read.'),
      fix: t('Write "type": "object" at the top, and correct what does not match the meta-schema.'),
    }),
  },
  descriptions: {
    clause: `${base}/server/tools#tool`,
    words: (t: Translate) => ({
      rule: t('Every tool has a description.'),
      why: t('A model chooses a tool by what is said about it.'),
      fix: t('Say in a sentence what the tool does and when to use it.'),
    }),
  },
  hidden: {
    clause: `${base}/server/tools#security-considerations`,
    words: (t: Translate) => ({
      rule: t('No text has hidden characters.'),
      why: t('What a reader cannot see, a model still reads: clients take it for an attack.'),
      fix: t('Remove the characters; they are shown here by their code.'),
    }),
  },
  size: {
    clause: `${base}/server/tools`,
    words: (t: Translate) => ({
      rule: t('The definitions of tools leave room for the conversation.'),
      why: t('Every definition goes to the model with every request.'),
      fix: t('Shorten descriptions and schemas, or offer fewer tools at once.'),
    }),
  },
  stable: {
    clause: `${base}/server/tools#list-changed-notification`,
    words: (t: Translate) => ({
      rule: t('A list is the same when it is read twice.'),
      why: t(
        'Clients keep lists until they are told of a change, and ask users again about what changed.',
      ),
      fix: t('Keep the order and the texts, and send list_changed when something really changes.'),
    }),
  },
  unknownTool: {
    clause: `${base}/server/tools#error-handling`,
    words: (t: Translate) => ({
      rule: t('A call of an unknown tool is answered with an error.'),
      why: t('A model that mistakes a name has to hear so.'),
      fix: t('Answer with the error -32602 of the protocol.'),
    }),
  },
  unknownPrompt: {
    clause: `${base}/server/prompts#error-handling`,
    words: (t: Translate) => ({
      rule: t('A request for an unknown prompt is answered with the error -32602.'),
      why: t('A client tells a mistake in a name from a failure by this code.'),
      fix: t('Answer with the error -32602 of the protocol.'),
    }),
  },
  unknownResource: {
    clause: `${base}/server/resources#error-handling`,
    words: (t: Translate) => ({
      rule: t('A request for an unknown resource is answered with the error -32002.'),
      why: t('A client tells what is gone from what failed by this code.'),
      fix: t('Answer with the error -32002 of the protocol (-32602 as of {0}).', modernRevision),
    }),
  },
  declared: {
    clause: `${base}/basic/lifecycle#capability-negotiation`,
    words: (t: Translate) => ({
      rule: t('Every list that the server has declared can be read.'),
      why: t('A client offers what a server declares, and shows a list that stays empty.'),
      fix: t('Answer the list, even an empty one, or leave its capability out.'),
    }),
  },
  templates: {
    clause: `${base}/server/resources#resource-templates`,
    words: (t: Translate) => ({
      rule: t('The templates of resources keep to RFC 6570.'),
      why: t('A client cannot fill in a template that it cannot read.'),
      fix: t('Close every brace, and name variables with letters, digits and _ alone.'),
    }),
  },
  ping: {
    clause: `${base}/basic/utilities/ping#behavior-requirements`,
    words: (t: Translate) => ({
      rule: t('A ping is answered.'),
      why: t('Clients take a server without an answer for lost, and connect again.'),
      fix: t('Answer ping with an empty result at any time.'),
    }),
  },
  subscribe: {
    clause: `${base}/server/resources#subscriptions`,
    words: (t: Translate) => ({
      rule: t('A resource can be subscribed to where the server says so.'),
      why: t('A client shows a resource as kept current that is not.'),
      fix: t('Take resources/subscribe for every listed resource, or leave "subscribe" out.'),
    }),
  },
  completions: {
    clause: `${base}/server/utilities/completion#response-requirements`,
    words: (t: Translate) => ({
      rule: t('Completions are as the specification says.'),
      why: t('A client shows no suggestions, or fails where the user is typing.'),
      fix: t(
        'Answer with "values", a list of at most 100 texts; "total" and "hasMore" may be beside it.',
      ),
    }),
  },
  content: {
    clause: `${base}/server/tools#tool-result`,
    words: (t: Translate) => ({
      rule: t('Every result of a tool has content.'),
      why: t('Clients and models read the content; many refuse a result without.'),
      fix: t('Return "content", an empty list if there is nothing to say.'),
    }),
  },
  structured: {
    clause: `${base}/server/tools#output-schema`,
    words: (t: Translate) => ({
      rule: t('Structured content matches the output schema.'),
      why: t('Clients check it, and refuse a result that does not match.'),
      fix: t('Correct the schema, or what the tool returns.'),
    }),
  },
  unknownMethod: {
    clause: `${base}/basic#responses`,
    words: (t: Translate) => ({
      rule: t('A request of an unknown method is answered with the error -32601.'),
      why: t('Clients find out by it what a server can do.'),
      fix: t('Answer with the error -32601 of JSON-RPC.'),
    }),
  },
  notification: {
    clause: `${base}/basic#notifications`,
    words: (t: Translate) => ({
      rule: t('A notification is not answered.'),
      why: t('A client takes such an answer for one to a request, or for a broken message.'),
      fix: t('Answer only messages that have an id, also where the method is unknown.'),
    }),
  },
  cancel: {
    clause: `${base}/basic/utilities/cancellation`,
    words: (t: Translate) => ({
      rule: t('The server goes on after a request was cancelled.'),
      why: t('Users cancel calls all the time.'),
      fix: t('Take notifications/cancelled for any request, also one that is answered already.'),
    }),
  },
  stdout: {
    clause: `${base}/basic/transports#stdio`,
    words: (t: Translate) => ({
      rule: t('Nothing but messages is on stdout.'),
      why: t('Many clients end the connection at the first line that is no message.'),
      fix: t('Write logs to stderr: console.error in Node, print(…, file=sys.stderr) in Python.'),
    }),
  },
  exit: {
    clause: `${base}/basic/lifecycle#shutdown`,
    words: (t: Translate) => ({
      rule: t('The server and all that it started end when stdin ends.'),
      why: t(
        'A client that crashes cannot send a signal: what does not end by itself runs for ever.',
      ),
      fix: t(
        "End the process on the end of stdin: process.stdin.on('end', () => process.exit(0)).",
      ),
    }),
  },
} as const;

/** The id of one of the {@link rules}. */
export type RuleId = keyof typeof rules;
