import { panelPath } from '../../src/http/server.ts';
import { entryPaths } from '../../src/panel/sessions.ts';
import { panelActions, panelPages } from '../support/panel-tables.ts';
import type { HttpOperation } from './http-operations.ts';
import { httpOperations } from './http-operations.ts';
import { madeFrom, table } from './markdown.ts';

const panel = (method: 'get' | 'post', path: string, statuses: readonly number[]): HttpOperation => ({
  method,
  path: `${panelPath}${path}`,
  tag: 'Panel',
  summary: '',
  access: 'session',
  internal: true,
  answers: Object.fromEntries(statuses.map((status) => [status, ''])),
});

const entry: readonly HttpOperation[] = [
  panel('get', '/entrar', [200, 303]),
  panel('post', '/entrar', [303, 401, 403, 429]),
  panel('get', entryPaths.code, [200, 303]),
  panel('post', entryPaths.code, [303, 401, 403, 429]),
  panel('get', entryPaths.own, [200, 303]),
  panel('post', entryPaths.own, [200, 303, 403, 422]),
  panel('post', entryPaths.codes, [200, 303, 401, 403, 429]),
  panel('post', entryPaths.change, [303, 401, 403, 422, 429]),
  panel('get', entryPaths.forgotten, [200, 303]),
  panel('post', entryPaths.forgotten, [200, 303, 403]),
  panel('get', entryPaths.renewed, [200, 410]),
  panel('post', entryPaths.renewed, [200, 403, 410, 422, 429]),
  panel('post', '/salir', [303, 403]),
];

/** Everything the endpoints answer. */
export const allOperations: readonly HttpOperation[] = [
  ...httpOperations,
  ...entry,
  ...panelPages.map(({ path }) => panel('get', path, [200, 303, 403])),
  ...panelActions.map(({ path }) => panel('post', path, [303, 403])),
];

const intro = `# HTTP

What a running \`start\` answers to shops, the service, buyers, monitors and assistants. The addresses of the panel are not listed: they
change with any version.

Put a proxy with HTTPS before it; everything but \`/metrics\` is meant for the world. The command
line asks nothing here: it opens the ledger ([operations.md](operations.md#commands-beside-start)).
Refusals are \`{ "error": "…", "message": "…" }\`, a word for programs and a Spanish sentence, except on pages. An endpoint
that takes bodies refuses longer ones with 413, and any with 503 while the bodies being read fill the memory set
aside for them (operations.md).`;

const access: Readonly<Record<HttpOperation['access'], string>> = {
  none: 'everybody',
  signature: 'signed',
  link: 'signed link',
  ticket: 'ticket',
  bearer: 'bearer',
  session: 'session',
};

/** docs/http.md. */
export function httpReference(): string {
  const shown = allOperations.filter(({ internal }) => !internal);
  const sections = [...Map.groupBy(shown, ({ tag }) => tag)].map(
    ([tag, mine]) => `## ${tag}\n\n${table(['Address', 'For', 'What', 'Answers'], mine.map(row))}`,
  );
  return `${[madeFrom('`test/docs/http-operations.ts`'), intro, ...sections].join('\n\n')}\n`;
}

function row({ method, path, access: by, summary, message, answers }: HttpOperation): string[] {
  return [
    `\`${method.toUpperCase()} ${path}\``,
    access[by],
    [`${summary}.`, ...(message ? [message] : [])].join(' '),
    Object.entries(answers)
      .map(([status, what]) => `${status}: ${what}`)
      .join(' '),
  ];
}
