/**
 * The documents that are held out: no code is tuned and no threshold chosen by their figures. Their
 * rows tell what to expect for other documents.
 */
import { createRequire } from 'node:module';
import { tools } from './documents.js';

/** The response to a query of a graph: edges and nodes with few fields, and a type name in each. */
function graph() {
  const { random, int, pick, words, hex } = tools(104);
  const person = () => ({ __typename: 'User', id: hex(12), login: pick(words(4).split(' ')) });
  const comment = () => ({
    node: { __typename: 'Comment', id: hex(12), body: words(int(30)), author: person() },
    cursor: hex(16),
  });
  const issue = (i) => ({
    node: {
      __typename: 'Issue',
      number: i,
      title: words(2 + int(6)),
      closed: random() > 0.4,
      assignee: random() > 0.5 ? person() : null,
      labels: { nodes: Array.from({ length: int(4) }, () => ({ name: pick(['bug', 'docs']) })) },
      comments: { totalCount: int(40), edges: Array.from({ length: int(5) }, comment) },
    },
    cursor: hex(16),
  });
  const edges = Array.from({ length: 80 }, (_, i) => issue(i));
  const pageInfo = { hasNextPage: true, endCursor: hex(16) };
  return { data: { repository: { id: hex(12), issues: { pageInfo, edges } } } };
}

/** Lines of a structured log: common fields, and others that depend on the line. */
function logLines() {
  const { random, int, pick, words, hex } = tools(105);
  return Array.from({ length: 600 }, (_, i) => {
    const line = {
      time: `2026-03-04T05:${10 + (i % 50)}:0${i % 10}.${100 + int(900)}Z`,
      level: pick(['info', 'info', 'info', 'warn', 'error']),
      message: words(3 + int(8)),
      pid: 4000 + int(8),
    };
    if (random() > 0.5)
      line.request = {
        method: pick(['GET', 'POST']),
        path: `/${hex(8)}`,
        status: 200,
        ms: int(900),
      };
    if (random() > 0.7) line.trace = hex(32);
    if (line.level === 'error') line.error = { name: 'TypeError', stack: words(40) };
    return line;
  });
}

/** The registry of media types: one large dictionary of small objects with optional fields. */
const mediaTypes = createRequire(import.meta.url)('mime-db');

/** Documents by name. */
export const heldOut = {
  'media types (held out)': { value: mediaTypes, kind: 'held out' },
  'graph (held out)': { value: graph(), kind: 'held out' },
  'log lines (held out)': { value: logLines(), kind: 'held out' },
};
